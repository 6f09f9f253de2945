-- The workloads of lua_bench: name -> function(size, random, words, value),
-- which returns function(first, last). That runs operations first to last; each
-- operation makes strings that no earlier one made, unless the name says hit.
--
-- random and words are long strings, all bytes and lower-case words; value(i, size)
-- is one of the many values of a store. Substrings of them at different offsets
-- differ within their first 64 bytes, so a hash of only those makes no collisions.

local sub, gsub = string.sub, string.gsub
local TABLE_SIZE = 1000

local workloads = {}

-- a new string of size bytes
function workloads.fresh(size, random)
  return function(first, last)
    for i = first, last do
      local s = sub(random, i, i + size - 1)
    end
  end
end

-- a new string from a store of 64 MB outside of Lua, most of it in no cache
function workloads.value(size, random, words, value)
  return function(first, last)
    for i = first, last do
      local s = value(i, size)
    end
  end
end

-- a new string beside 16 MB of live ones: garbage piles up to as much before it
-- is collected, so new strings take memory that the system has to map
workloads["fresh-big-heap"] = function(size, random, words, value)
  local live = {}
  for i = 1, 16 do live[i] = value(i, 1048576) end
  return function(first, last)
    for i = first, last do
      local s = sub(random, i, i + size - 1)
    end
    return live
  end
end

-- the same string made again while it is alive: found in the string table
function workloads.hit(size, random)
  local alive = sub(random, 1, size)
  return function(first, last)
    for i = first, last do
      local s = sub(random, 1, size)
    end
    return alive
  end
end

-- makes a key of size bytes and stores under it, a new table every 1000 keys
workloads["table-write"] = function(size, random)
  local t = {}
  return function(first, last)
    for i = first, last do
      if i % TABLE_SIZE == 0 then t = {} end
      t[sub(random, i, i + size - 1)] = i
    end
  end
end

-- makes one of 1000 keys again and reads the table with it
workloads["table-read"] = function(size, random)
  local t = {}
  for i = 0, TABLE_SIZE - 1 do t[sub(random, i + 1, i + size)] = i end
  return function(first, last)
    local found
    for i = first, last do
      local at = i % TABLE_SIZE + 1
      found = t[sub(random, at, at + size - 1)]
    end
    return assert(found)
  end
end

-- joins three strings, size bytes together
function workloads.concat(size, random)
  assert(size > 24, "concat joins 16 + 8 bytes and a rest")
  local heads, body = {}, {}
  for i = 1, 1000 do
    heads[i] = sub(random, i, i + 15)
    body[i] = sub(random, 2 * i, 2 * i + size - 25)
  end
  return function(first, last)
    for i = first, last do
      local s = heads[i % 1000 + 1] .. body[(i - i % 1000) / 1000 % 1000 + 1] .. "-the-end"
    end
  end
end

-- replaces every word of a text of size bytes: strings of all lengths
function workloads.gsub(size, random, words)
  local replacement = { the = "a", one = "two" }
  return function(first, last)
    for i = first, last do
      local s = gsub(sub(words, i, i + size - 1), "%a+", replacement)
    end
  end
end

return workloads
