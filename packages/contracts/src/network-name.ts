/** 1 to 32 lower-case letters, digits and hyphens (decisions, Networks). */
const form = /^[a-z0-9-]{1,32}$/

/**
 * The normal form of a network's name: trimmed, in lower case, words joined by hyphens. Null for an invalid name, which
 * callers answer with 400.
 */
export function networkName(given: string): string | null {
  const name = given.trim().toLowerCase().replaceAll(/\s+/g, '-')
  return form.test(name) ? name : null
}

/** The rule for names, for messages: `network must be …`. */
export const networkNameRule = 'a name of 1 to 32 letters, digits and hyphens'
