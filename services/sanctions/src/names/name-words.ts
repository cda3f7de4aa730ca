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

/** Apostrophes, and what is written for them. */
const apostrophes = /['`´’‘‛′\u02b9-\u02c1]/gu
/** Marks, and what nobody sees, such as a space of no width. */
const unseen = /[\p{M}\p{Default_Ignorable_Code_Point}]/gu

/** The maximum number of words of a screened name; the longest name of the contract has fewer words of two letters. */
const mostWords = 100

/**
 * The words of a name for comparison: each once, in any order, without case, accents and apostrophes. A hyphen
 * separates words. Initials are left out, unless there is nothing else.
 */
export function nameWords(name: string): string[] {
  const folded = name
    // Before as well: decomposed, an acute accent is a space and a mark.
    .replace(apostrophes, '')
    .normalize('NFKD')
    .replace(apostrophes, '')
    .replace(unseen, '')
    .toLowerCase()
    .replace(/[ßæœøđðłþı]/g, (letter) => plain.get(letter) ?? letter)
  const all = [...new Set(folded.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== ''))]
  const whole = all.filter((word) => word.length > 1)
  return (whole.length > 0 ? whole : all).slice(0, mostWords)
}

/**
 * Whether all words of a name can be compared with a list, whose names are in Latin letters: others may mean the same, or
 * only look the same. False for no words.
 */
export const isComparable = (words: readonly string[]): boolean =>
  words.length > 0 && words.every((word) => /^[a-z0-9]+$/.test(word))
