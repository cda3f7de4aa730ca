/** Letters that Unicode does not take apart into a plain one and a mark. */
const plain = new Map([
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ø', 'o'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['ł', 'l'],
  ['þ', 'th'],
  ['ı', 'i'],
])

/** A screened name has no more words than this many; the longest that the contract takes has fewer of two letters. */
const mostWords = 100

/**
 * The words of a name as names are compared: each once, in any order, without case, accents and apostrophes. A hyphen
 * parts two words. Initials are left out, unless there is nothing else.
 */
export function nameWords(name: string): string[] {
  const folded = name
    .normalize('NFKD')
    .replace(/[\p{M}'’ʼ`´]/gu, '')
    .toLowerCase()
    .replace(/[ßæœøđðłþı]/g, (letter) => plain.get(letter) ?? letter)
  const all = [...new Set(folded.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== ''))]
  const whole = all.filter((word) => word.length > 1)
  return (whole.length > 0 ? whole : all).slice(0, mostWords)
}
