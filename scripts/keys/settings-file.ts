import { rmSync, writeFileSync } from 'node:fs'
import { type KeyRing, openInternalSecret, openSealingKey } from '@bursar/http'

/** Writes a new file, for its owner alone. Throws when there is one; what could not be written whole is removed. */
export function writeNew(file: string, text: string, write = writeFileSync): void {
  try {
    write(file, text, { mode: 0o600, flag: 'wx', flush: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST')
      throw new Error(`${file} is there already: name another file`)
    rmSync(file, { force: true })
    throw error
  }
}

/** A line of .env, as Bun, Node, Docker and systemd read it. */
export function settingLine(name: string, value: string): string {
  if (/^[\w+/=,.:-]*$/.test(value)) return `${name}=${value}\n`
  // Bun alone puts variables into quoted values; what keeps it from that is part of the value elsewhere.
  if (/['\r\n]|\$[\w{]|\\\$|\\$/.test(value))
    throw new Error(`${name} has a character that a line of .env cannot hold: give it as a file, by ${name}_FILE`)
  return `${name}='${value}'\n`
}

/** The text of a seed file as the value of a setting. */
export const oneLine = (seed: string): string => JSON.stringify(JSON.parse(seed))

/** The keys of a setting. Throws ConfigError when one has a wrong form. */
export const keysOf = (name: string, value: string): ReturnType<KeyRing['keys']> =>
  (name === 'INTERNAL_SECRET' ? openInternalSecret('', value) : openSealingKey('', name, { name, value })).keys()
