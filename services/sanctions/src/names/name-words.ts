/** Letters that Unicode does not decompose into a base letter and a mark. */
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

/** The maximum number of words of a screened name; the longest name of the contract has fewer words of two letters. */
const mostWords = 100

/**
 * The words of a name for comparison: each once, in any order, without case, accents and apostrophes. A hyphen
 * separates words. Initials are left out, unless there is nothing else.
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
