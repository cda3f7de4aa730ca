import type { Address } from './procfile'

/** How often the services are asked what waits. */
const lookMs = 10_000

/** Finds out what waits for people, as the services' own health says. */
export interface Waiting {
  /** The sentences that no look before has given; what is not usable counts when two looks in a row have found it. */
  look(): Promise<string[]>
}

export function watchWaiting(addresses: readonly Address[]): Waiting {
  let before = new Set<string>()
  let told = new Set<string>()
  return {
    async look() {
      const found = (await Promise.all(addresses.map(sentencesOf))).flat()
      const standing = found.filter(({ text, isFailure }) => !isFailure || before.has(text)).map(({ text }) => text)
      const news = standing.filter((text) => !told.has(text))
      before = new Set(found.map(({ text }) => text))
      told = new Set(standing)
      return news
    },
  }
}

/** Looks again for as long as the stack lives, and tells each thing once. */
export async function tellWaiting(waiting: Waiting, tell: (sentence: string) => void, ending: AbortSignal) {
  for (;;) {
    await Bun.sleep(lookMs)
    if (ending.aborted) return
    for (const sentence of await waiting.look()) tell(`Waits for a person: ${sentence}`)
  }
}

interface Sentence {
  text: string
  /** Something is not usable; while services start, that passes by itself. */
  isFailure: boolean
}

async function sentencesOf({ name, url }: Address): Promise<Sentence[]> {
  try {
    const answer = await fetch(`${url}/health`, { signal: AbortSignal.timeout(5000) })
    const body = (await answer.json()) as { error?: unknown; waiting?: unknown }
    const people = Array.isArray(body.waiting) ? body.waiting : []
    const waits = people.map((text) => ({ text: `${name}: ${text}`, isFailure: false }))
    return typeof body.error === 'string' ? [...waits, { text: `${name}: ${body.error}`, isFailure: true }] : waits
  } catch {
    // It is not there, or says nothing that can be read: the starter starts it again when it has ended.
    return []
  }
}
