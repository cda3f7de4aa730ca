import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const shortest = 12
const longest = 128

/**
 * The commonest passwords of 12 characters and more, and the commonest words in others, in lower case. From
 * zxcvbn-ts' list (MIT), which counts those of published leaks.
 */
const common = new Set(
  readFileSync(fileURLToPath(new URL('./common-passwords.txt', import.meta.url)), 'utf8')
    .trimEnd()
    .split('\n'),
)

/** A password as it is checked and hashed: keyboards can encode the same letter in different ways (NIST SP 800-63B). */
export const normalized = (password: string): string => password.normalize('NFKC')

/**
 * The problem of a new password, worded to follow its field's name; null for none (decisions, Passwords:
 * 12 to 128 characters, no composition rules, the commonest refused). `own` are the user's name and address.
 */
export function passwordProblem(password: string, own: readonly string[] = []): string | null {
  const text = normalized(password)
  const { length } = [...text]
  if (length < shortest) return `must be at least ${shortest} characters long`
  if (length > longest) return `must be at most ${longest} characters long`
  return isCommon(text.toLowerCase(), own) ? 'is one that others guess: choose another' : null
}

function isCommon(text: string, own: readonly string[]): boolean {
  const known = (part: string) => common.has(part) || own.some((word) => word.toLowerCase() === part)
  // `dragon123456!` is `dragon`, `qwertyqwerty` is `qwerty`, `aaaaaaaaaaaa` is `a`.
  const core = text.replace(/^[^a-z]+|[^a-z]+$/g, '')
  const [, unit = text] = /^(.{1,16}?)\1+$/s.exec(text) ?? []
  return known(text) || known(core) || known(unit) || [...unit].length <= 4
}
