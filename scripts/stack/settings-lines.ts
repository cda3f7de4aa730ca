import { parseEnv } from 'node:util'

/** A file of settings that Bun reads beside the environment. */
export interface SettingsFile {
  name: string
  text: string
}

/**
 * Lines that are not read as they look, in sentences that name no value: Bun leaves out what is no setting, ends an unquoted
 * value at its #, and puts a variable in the place of `$name`, quoted or not.
 */
export function oddLines(files: readonly SettingsFile[], env: NodeJS.ProcessEnv): string[] {
  return files.flatMap(({ name, text }) => {
    if (text.includes('\0')) return [`${name} is not UTF-8, so that none of it is read: save it as UTF-8.`]
    const lines = text.split(/\r?\n/)
    const settings = parseEnv(text)
    const seen = new Map<string, number>()
    return lines.flatMap((line, index) => {
      const at = index + 1
      if (/^\s*(#|$)/.test(line)) return []
      const [, key, value = ''] = /^\s*(?:export\s+)?([A-Za-z_][\w.-]*)(?:\s*=|:(?=\s))\s*(.*?)\s*$/.exec(line) ?? []
      if (key === undefined) return [`${name}, line ${at} is no setting and changes nothing: write NAME=value.`]
      const before = seen.get(key)
      seen.set(key, at)
      const problem = problemOf(value, (word) => Object.hasOwn(env, word) || Object.hasOwn(settings, word))
      return [
        ...(before === undefined ? [] : [`${name} sets ${key} in lines ${before} and ${at}: the last one holds.`]),
        ...(problem === null ? [] : [`${name}, line ${at}: ${key} ${problem}.`]),
      ]
    })
  })
}

/** The settings of such a text as Bun reads them: it puts variables in the place of `$name`, and a $ in that of `\\$`. */
export function settingsOf(text: string, env: NodeJS.ProcessEnv): Record<string, string> {
  const settings = parseEnv(text) as Record<string, string>
  for (const [name, value] of Object.entries(settings)) {
    settings[name] = value.replaceAll(
      /\\\$|\$(?:\{(\w+)(?::-([^}]*))?\}|(\w+))/g,
      (found, inBraces?: string, otherwise = '', bare = '') =>
        found === '\\$' ? '$' : (env[inBraces ?? bare] ?? settings[inBraces ?? bare]) || otherwise,
    )
  }
  return settings
}

/** What is lost of a value, and how to write it. */
function problemOf(value: string, isKnown: (name: string) => boolean): string | null {
  const [, quote] = /^(["'`])/.exec(value) ?? []
  if (quote !== undefined && !value.slice(1).includes(quote))
    return `begins with ${quote} and does not end with it: lines after it may be lost; close it, or leave it out`
  // One in braces may name what stands in its place: ${name:-value}.
  const named = value.matchAll(/(?<!\\)\$(?:\{(\w+)(?!\w|:-)|(\w+))/g)
  const names = Array.from(named, ([, inBraces, bare = '']) => inBraces ?? bare)
  if (!names.every(isKnown)) return 'loses a $ and the word behind it, which is no variable: write \\$'
  if (quote === undefined && /[^\s]#/.test(value.replace(/\s#.*$/, '')))
    return 'ends at its #: put the value into double quotes'
  return null
}
