import type { ParseArgsConfig, parseArgs } from 'node:util'
import { complaintOf } from './complaint'
import { readOptions } from './options'

type Options = NonNullable<ParseArgsConfig['options']>

/** The option of commands that look into the data folder. */
export const dataDirOption = { 'data-dir': { type: 'string' } } as const
const helpOption = { help: { type: 'boolean', short: 'h' } } as const

interface Command<Own extends Options> {
  /** As it is called: `wallet:held`. */
  name: string
  help: string
  options?: Own
  /** Whether it takes words besides its options. */
  takesWords?: boolean
}

type Values<Own extends Options> = ReturnType<typeof parseArgs<{ options: Own & typeof helpOption }>>['values']

/**
 * Runs `bun run <name>`: prints its help, or the text that `act` resolves with. An error is told in a sentence; the exit code is then
 * its `exitCode`, or 1.
 */
export async function runCommand<const Own extends Options>(
  { name, help, options, takesWords = false }: Command<Own>,
  act: (values: Values<Own>, words: string[]) => Promise<unknown>,
): Promise<void> {
  try {
    const config = { allowPositionals: takesWords, options: { ...options, ...helpOption } }
    const { values, positionals } = readOptions(name, config)
    const text = values.help ? help.trimEnd() : await act(values as Values<Own>, positionals)
    if (typeof text === 'string') console.log(text)
  } catch (error) {
    process.stderr.write(`${complaintOf(error)}\n`)
    process.exitCode = Object(error).exitCode ?? 1
  }
}
