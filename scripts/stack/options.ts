import { type ParseArgsConfig, parseArgs } from 'node:util'
import { messageOf } from '@bursar/contracts/log'
import { spoken } from './installation'

/** parseArgs for `bun run <command>`. Throws one sentence that says what is wrong, and where all options are listed. */
export function readOptions<const Config extends ParseArgsConfig>(command: string, config: Config) {
  try {
    return parseArgs(config)
  } catch (error) {
    throw usageError(command, sentenceOf(error))
  }
}

/** A command was called wrongly: the sentence says how, and where all its options are listed. */
export const usageError = (command: string, sentence: string): Error =>
  new Error(`${sentence}. See ${spoken(command)} --help`)

/** Node explains an unknown option by how to name a file so: nobody means that. */
function sentenceOf(error: unknown): string {
  const message = messageOf(error)
  const [, unknown] = /^Unknown option '([^']*)'/.exec(message) ?? []
  if (unknown !== undefined) return `There is no option ${unknown}`
  const [, unwanted] = /^Unexpected argument '(.*?)'\. This command/.exec(message) ?? []
  return unwanted === undefined ? message.replace(/\.$/, '') : `"${unwanted}" is not understood`
}
