import type { Address } from './procfile'
import { readHealth } from './read-health'

/** The interval of the checks. */
const lookMs = 10_000

/** Reads work that needs a person from the services' health. */
export interface Waiting {
  /**
   * The sentences that are new since the last check, not those that differ by their numbers alone: they count, and name blocks and
   * times. A failure counts if two checks in a row find it.
   */
  look(): Promise<string[]>
}

export function watchWaiting(addresses: readonly Address[]): Waiting {
  let before = new Set<string>()
  let told = new Set<string>()
  return {
    async look() {
      const found = (await Promise.all(addresses.map(sentencesOf))).flat()
      const standing = found.filter(({ text, isFailure }) => !isFailure || before.has(withoutNumbers(text)))
      const news = standing.map(({ text }) => text).filter((text) => !told.has(withoutNumbers(text)))
      before = new Set(found.map(({ text }) => withoutNumbers(text)))
      told = new Set(standing.map(({ text }) => withoutNumbers(text)))
      return news
    },
  }
}

const withoutNumbers = (text: string): string => text.replaceAll(/\d+/g, '#')

/** Checks as long as the stack runs, and prints each sentence once. */
export async function tellWaiting(waiting: Waiting, tell: (sentence: string) => void, ending: AbortSignal) {
  for (;;) {
    await Bun.sleep(lookMs)
    if (ending.aborted) return
    for (const sentence of await waiting.look()) tell(`Waits for a person: ${sentence}`)
  }
}

interface Sentence {
  text: string
  /** Something fails; while services start, that is temporary. */
  isFailure: boolean
}

async function sentencesOf(address: Address): Promise<Sentence[]> {
  // If it has ended, the starter restarts it.
  const { error, waiting } = await readHealth(address)
  const waits = waiting.map((text) => ({ text: `${address.name}: ${text}`, isFailure: false }))
  return error === null ? waits : [...waits, { text: `${address.name}: ${error}`, isFailure: true }]
}
