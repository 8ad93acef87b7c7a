-- checksum: FNV-1a of a text, 64 bits, in hexadecimal digits.
return require("orrery.core").checksum
