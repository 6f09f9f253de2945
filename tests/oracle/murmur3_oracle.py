#!/usr/bin/env python3
"""Slow, plain Python oracle for every function of the library.

It exists so that an expected value never comes from the code under test.
It is written from the algorithm descriptions, favours clarity over speed, and
needs only the standard library.

    murmur3_oracle.py selftest                      check the oracle itself
    murmur3_oracle.py x86_32   HEX [SEED]           one value; HEX may be '-' for no bytes
    murmur3_oracle.py x86_128  HEX [SEED]
    murmur3_oracle.py x64_128  HEX [SEED]
    murmur3_oracle.py wide32   HEX [SEED [KEYHEX]]  KEYHEX: 16 secret bytes
    murmur3_oracle.py lua      HEX [KEYHEX]
    murmur3_oracle.py vectors  FILE.tsv             check a vector file, print what disagrees
"""
import sys

M32 = 0xFFFFFFFF
M64 = 0xFFFFFFFFFFFFFFFF

WIDE_LANES = 128
WIDE_ROW = 64            # bytes: 16 words, for 16 of the lanes
WIDE_ROWS = 4 * WIDE_LANES // WIDE_ROW
WIDE_MIN = WIDE_ROW      # shorter strings are x86_32
WIDE_LENGTH_MUL = 0x9E3779B97F4A7C15


def rotl32(x, r):
    return ((x << r) | (x >> (32 - r))) & M32


def rotl64(x, r):
    return ((x << r) | (x >> (64 - r))) & M64


def fmix32(h):
    h ^= h >> 16
    h = h * 0x85EBCA6B & M32
    h ^= h >> 13
    h = h * 0xC2B2AE35 & M32
    return h ^ (h >> 16)


def fmix64(k):
    k ^= k >> 33
    k = k * 0xFF51AFD7ED558CCD & M64
    k ^= k >> 33
    k = k * 0xC4CEB9FE1A85EC53 & M64
    return k ^ (k >> 33)


class Key:
    """The four words of a key. Key() is the public, canonical function."""

    def __init__(self, seed=0, whiten=0, mul1=0xCC9E2D51, mul2=0x1B873593):
        self.seed, self.whiten, self.mul1, self.mul2 = seed & M32, whiten, mul1, mul2

    @classmethod
    def from_secret(cls, secret, seed=0):
        """16 secret bytes -> key; the all-zero secret gives the canonical key."""
        assert len(secret) == 16
        a, b, c, d = (int.from_bytes(secret[i:i + 4], "little") for i in (0, 4, 8, 12))
        return cls(seed ^ a, b, 0xCC9E2D51 ^ (c << 1 & M32), 0x1B873593 ^ (d << 1 & M32))


def mix32(k, key):
    k ^= key.whiten
    return rotl32(k * key.mul1 & M32, 15) * key.mul2 & M32


def round32(h, k, key):
    return (rotl32(h ^ mix32(k, key), 13) * 5 + 0xE6546B64) & M32


def x86_32_keyed(data, key):
    h = key.seed
    whole = len(data) // 4 * 4
    for i in range(0, whole, 4):
        h = round32(h, int.from_bytes(data[i:i + 4], "little"), key)
    if data[whole:]:
        h ^= mix32(int.from_bytes(data[whole:], "little"), key)
    return fmix32(h ^ (len(data) & M32))


def x86_32(data, seed=0):
    return x86_32_keyed(data, Key(seed))


def wide32_keyed(data, key):
    if len(data) < WIDE_MIN:
        return x86_32_keyed(data, key)
    lanes = [fmix32(j + 1) ^ key.seed for j in range(WIDE_LANES)]
    whole = len(data) // WIDE_ROW * WIDE_ROW
    padded = data[:whole] + bytes(-len(data) % WIDE_ROW) + data[whole:]
    for word in range(len(padded) // 4):
        j = word % WIDE_LANES
        lanes[j] = round32(lanes[j], int.from_bytes(padded[4 * word:4 * word + 4], "little"), key)
    rows_used = min(WIDE_ROWS, len(padded) // WIDE_ROW)
    sum64 = len(data) * WIDE_LENGTH_MUL
    for j in range(0, rows_used * WIDE_ROW // 4, 2):
        low, high = lanes[j], lanes[j + 1]
        sum64 += (high << 32 | low) + low * high
    return fmix64(sum64 & M64) & M32


def wide32(data, seed=0):
    return wide32_keyed(data, Key(seed))


def lua_hash(data, secret=bytes(16)):
    """What luaS_newlstr stores: seed is the length, as in Valkey 8.1, xor the secret's first word."""
    return wide32_keyed(data, Key.from_secret(secret, seed=len(data) & M32))


def x64_128(data, seed=0):
    """(h1, h2); the seed has 64 bits, a 32-bit seed is zero-extended."""
    c1, c2 = 0x87C37B91114253D5, 0x4CF5AD432745937F
    mix1 = lambda k: rotl64(k * c1 & M64, 31) * c2 & M64
    mix2 = lambda k: rotl64(k * c2 & M64, 33) * c1 & M64
    h1 = h2 = seed & M64
    whole = len(data) // 16 * 16
    for i in range(0, whole, 16):
        k1 = int.from_bytes(data[i:i + 8], "little")
        k2 = int.from_bytes(data[i + 8:i + 16], "little")
        h1 = (rotl64(h1 ^ mix1(k1), 27) + h2) & M64
        h1 = (h1 * 5 + 0x52DCE729) & M64
        h2 = (rotl64(h2 ^ mix2(k2), 31) + h1) & M64
        h2 = (h2 * 5 + 0x38495AB5) & M64
    tail = data[whole:]
    if tail[8:]:
        h2 ^= mix2(int.from_bytes(tail[8:], "little"))
    if tail:
        h1 ^= mix1(int.from_bytes(tail[:8], "little"))
    h1 ^= len(data)
    h2 ^= len(data)
    h1 = (h1 + h2) & M64
    h2 = (h2 + h1) & M64
    h1, h2 = fmix64(h1), fmix64(h2)
    h1 = (h1 + h2) & M64
    h2 = (h2 + h1) & M64
    return h1, h2


def x86_128(data, seed=0):
    """(h1, h2, h3, h4)"""
    mul = (0x239B961B, 0xAB0E9789, 0x38B34AE5, 0xA1E38B93)
    rot_k = (15, 16, 17, 18)
    rot_h = (19, 17, 15, 13)
    add = (0x561CCD1B, 0x0BCAA747, 0x96CD1C35, 0x32AC3B17)
    mix = lambda j, k: rotl32(k * mul[j] & M32, rot_k[j]) * mul[(j + 1) & 3] & M32
    h = [seed & M32] * 4
    whole = len(data) // 16 * 16
    for i in range(0, whole, 16):
        for j in range(4):
            k = int.from_bytes(data[i + 4 * j:i + 4 * j + 4], "little")
            h[j] = (rotl32(h[j] ^ mix(j, k), rot_h[j]) + h[(j + 1) & 3]) & M32
            h[j] = (h[j] * 5 + add[j]) & M32
    tail = data[whole:]
    for j in range(4):
        part = tail[4 * j:4 * j + 4]
        if part:
            h[j] ^= mix(j, int.from_bytes(part, "little"))
    h = [v ^ (len(data) & M32) for v in h]
    for last in (False, True):
        h[0] = sum(h) & M32
        h[1:] = [(v + h[0]) & M32 for v in h[1:]]
        if not last:
            h = [fmix32(v) for v in h]
    return tuple(h)


def to_bytes(value, variant):
    """The digest as the reference implementation writes it on a little-endian machine."""
    if variant == "x64_128":
        return b"".join(v.to_bytes(8, "little") for v in value)
    if variant == "x86_128":
        return b"".join(v.to_bytes(4, "little") for v in value)
    return value.to_bytes(4, "little")


FUNCTIONS = {"x86_32": x86_32, "x86_128": x86_128, "x64_128": x64_128, "wide32": wide32}


def smhasher_code(variant):
    hashed = b"".join(
        to_bytes(FUNCTIONS[variant](bytes(range(i)), 256 - i), variant) for i in range(256))
    return int.from_bytes(to_bytes(FUNCTIONS[variant](hashed, 0), variant)[:4], "little")


def selftest():
    for variant, code in (("x86_32", 0xB0F57EE3), ("x86_128", 0xB3ECE62A), ("x64_128", 0x6384BA69)):
        assert smhasher_code(variant) == code, variant
    assert lua_hash(b"hello") == 0x7B258471
    assert wide32(bytes(63), 7) == x86_32(bytes(63), 7)
    secret = bytes(range(16))
    a, b = bytes.fromhex("1b9f2243363e4586"), bytes.fromhex("7340a5af363ef6c1")
    assert x86_32(a, 8) == x86_32(b, 8) == 0x52A08AC5      # collides for every seed
    assert lua_hash(a, secret) != lua_hash(b, secret)      # but not under a key
    print("oracle ok; wide32 verification code %08x" % smhasher_code("wide32"))


def check_vectors(path):
    wrong = total = 0
    for number, line in enumerate(open(path, encoding="utf-8"), 1):
        if line.startswith(("#", "variant\t")) or not line.strip():
            continue
        variant, seed, data, expected = line.rstrip("\n").split("\t")[:4]
        if variant not in FUNCTIONS:
            continue
        total += 1
        got = to_bytes(FUNCTIONS[variant](bytes.fromhex("" if data == "-" else data), int(seed, 0)), variant).hex()
        if got != expected:
            wrong += 1
            print("%s:%d: %s, oracle says %s" % (path, number, line.strip(), got))
    print("%d vectors, %d disagree" % (total, wrong))
    return wrong


def main(argv):
    if argv[:1] == ["selftest"]:
        return selftest()
    if argv[:1] == ["vectors"]:
        return sys.exit(1 if check_vectors(argv[1]) else 0)
    if len(argv) < 2 or argv[0] not in (*FUNCTIONS, "lua"):
        sys.exit(__doc__)
    name, data = argv[0], bytes.fromhex("" if argv[1] == "-" else argv[1])
    if name == "lua":
        secret = bytes.fromhex(argv[2]) if len(argv) > 2 else bytes(16)
        return print("%08x" % lua_hash(data, secret))
    seed = int(argv[2], 0) if len(argv) > 2 else 0
    if name == "wide32" and len(argv) > 3:
        return print("%08x" % wide32_keyed(data, Key.from_secret(bytes.fromhex(argv[3]), seed)))
    value = FUNCTIONS[name](data, seed)
    print(" ".join("%0*x" % (16 if name == "x64_128" else 8, v)
                   for v in (value if isinstance(value, tuple) else (value,))))


if __name__ == "__main__":
    main(sys.argv[1:])
