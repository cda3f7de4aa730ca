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
      const standing = found.filter(({ gist, isFailure }) => !isFailure || before.has(gist))
      const news = standing.filter(({ gist }) => !told.has(gist))
      before = new Set(found.map(({ gist }) => gist))
      told = new Set(standing.map(({ gist }) => gist))
      return news.map(({ text }) => text)
    },
  }
}

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
  /** Without its numbers. */
  gist: string
  /** Something fails; while services start, that is temporary. */
  isFailure: boolean
}

async function sentencesOf(address: Address): Promise<Sentence[]> {
  // If it has ended, the starter restarts it.
  const { error, waiting } = await readHealth(address)
  const sentence = (words: string, isFailure: boolean): Sentence => {
    const text = `${address.name}: ${words}`
    return { text, gist: text.replaceAll(/\d+/g, '#'), isFailure }
  }
  const waits = waiting.map((words) => sentence(words, false))
  return error === null ? waits : [...waits, sentence(error, true)]
}
