/** 1 to 32 lower-case letters, digits and hyphens (decisions, Networks). */
const form = /^[a-z0-9-]{1,32}$/

/**
 * A network's name in its one form: trimmed, in lower case, words joined by hyphens. Null for what is no name; callers
 * answer 400 then.
 */
export function networkName(given: string): string | null {
  const name = given.trim().toLowerCase().replaceAll(/\s+/g, '-')
  return form.test(name) ? name : null
}

/** What a refused name must be, for messages: `network must be …`. */
export const networkNameRule = 'a name of 1 to 32 letters, digits and hyphens'
