// File names and other words of a user, as messages show them.
#ifndef MURMURATION_TOOLS_MURMURATION_QUOTE_H_
#define MURMURATION_TOOLS_MURMURATION_QUOTE_H_

#include <string>

// As a shell reads it back: plain where every character is a letter, a digit or
// harmless, else 'in quotes', or $'with escapes' for quotes and for whatever
// could move a terminal's cursor, end the line or is no UTF-8. One line,
// always.
std::string Quote(const std::string& text);

// The same for the name of a file that may be "-", standard input.
std::string QuoteFile(const std::string& name);

// Whether it has a character that only $'with escapes' shows.
bool HasUnprintable(const std::string& text);

#endif  // MURMURATION_TOOLS_MURMURATION_QUOTE_H_
