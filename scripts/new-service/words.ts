import type { ErrorShape } from '@bursar/http'

/** What a service is made from. */
export interface Plan {
  /** A name of the catalogue. */
  name: string
  shape: ErrorShape
  /** The file of its contract in packages/contracts/src, without `.ts`. */
  contract: string
  /** The example resource: a plural in kebab-case. */
  resource: string
}

/** `bank-accounts` → `bank-account`, by the usual rules of English. */
export function singularOf(plural: string): string {
  if (plural.endsWith('ies')) return `${plural.slice(0, -3)}y`
  return plural.replace(/(ss|sh|ch|x|us)es$|s$/, '$1')
}

const camel = (kebab: string) => kebab.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
const spaced = (kebab: string) => kebab.replaceAll('-', ' ')
/** By its letters: `an account`, but `a user`. */
const withArticle = (noun: string) => `${/^(?!us|uni|eu|one)[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`

/**
 * What stands in the template, and what it becomes. The stand-ins have two words each, so that a name in camelCase
 * cannot be taken for one in kebab-case; a plural stands before its singular, which it begins with.
 */
export function standIns({
  name,
  shape,
  resource: plural,
}: Pick<Plan, 'name' | 'shape' | 'resource'>): Map<string, string> {
  const singular = singularOf(plural)
  return new Map([
    ['transaction-manager', name],
    ['TransactionManager', capital(camel(name))],
    ["'object'", `'${shape}'`],
    ['sample-notes', plural],
    ['sample-note', singular],
    ['sample_notes', plural.replaceAll('-', '_')],
    ['sampleNotes', camel(plural)],
    ['SampleNotes', capital(camel(plural))],
    ['sample notes', spaced(plural)],
    ['Sample notes', capital(spaced(plural))],
    ['sampleNote', camel(singular)],
    ['SampleNote', capital(camel(singular))],
    ['a sample note', withArticle(spaced(singular))],
    ['sample note', spaced(singular)],
    ['Sample note', capital(spaced(singular))],
  ])
}

/** Puts the words in the place of their stand-ins, all at once: what is put in is not looked at again. */
export const worded = (text: string, words: ReadonlyMap<string, string>): string =>
  text.replace(new RegExp([...words.keys()].join('|'), 'g'), (standIn) => words.get(standIn) ?? standIn)

/** A name that the resource needs and the template uses for something else; null when they do not collide. */
export function takenName(template: Iterable<string>, plan: Pick<Plan, 'name' | 'shape' | 'resource'>): string | null {
  const words = standIns(plan)
  const own = new Set(['Bun', 'Date', 'Promise'])
  for (const text of template) {
    for (const [, imported = ''] of text.matchAll(/^import (?:type )?\{([^}]*)\}/gm)) {
      for (const [name] of imported.matchAll(/\w+/g)) own.add(name)
    }
    for (const [, declared = ''] of text.matchAll(/^(?:export )?(?:const|type|function) (\w+)/gm)) own.add(declared)
  }
  const taken = ['sampleNotes', 'SampleNote'].map((standIn) => words.get(standIn) ?? '')
  return taken.find((name) => own.has(name)) ?? null
}
