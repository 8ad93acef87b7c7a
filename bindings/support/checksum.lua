-- checksum: FNV-1a of a text, 64 bits, in hexadecimal digits.
return function(text)
  local hash = 0xcbf29ce484222325
  for i = 1, #text do hash = (hash ~ text:byte(i)) * 0x100000001b3 end
  return ("%016x"):format(hash)
end
