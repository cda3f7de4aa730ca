import { formatBytes } from '../../format/bytes'
import { counted, withoutIds } from '../../format/words'
import type { DeadLetter, Operations, ServiceState } from './health-query'

/** A problem that somebody must look at. */
export interface Problem {
  service: string
  tone: 'bad' | 'wait'
  words: string
}

/** Events are published within seconds: older ones are blocked. */
const oldEventMs = 60_000
const littleDiskBytes = 2 * 1024 ** 3
const deepQueue = 1000

/** The problems of all services, the worst first. */
export function problemsOf(services: readonly ServiceState[], now: number): Problem[] {
  const found = services.flatMap((service) => [...ownProblem(service), ...backlogProblems(service, now)])
  return [...found.filter(({ tone }) => tone === 'bad'), ...found.filter(({ tone }) => tone !== 'bad')]
}

function ownProblem({ name, status, problem }: ServiceState): Problem[] {
  if (status === 'ok') return []
  return [{ service: name, tone: 'bad', words: problem ?? 'Its answer cannot be used.' }]
}

function backlogProblems({ name: service, operations }: ServiceState, now: number): Problem[] {
  if (!operations) return []
  const { waiting, outbox, queue, diskFreeBytes } = operations
  const found: Problem[] = []
  const add = (tone: Problem['tone'], words: string) => found.push({ service, tone, words })
  for (const sentence of waiting) add('wait', sentence)
  for (const { name, count } of outbox.unknown) {
    add('bad', `${counted(count, 'event')} in the outbox that this release does not know: ${name}.`)
  }
  if (outbox.oldestAt && now - Date.parse(outbox.oldestAt) > oldEventMs) {
    const reason = outbox.problem ? ` ${outbox.problem}` : ''
    add('wait', `${counted(outbox.waiting, 'event')} not published yet.${reason}`)
  }
  if (queue.deadLetters) add('bad', `${counted(queue.deadLetters, 'dead letter')}.`)
  if ((queue.depth ?? 0) >= deepQueue) add('wait', `${counted(queue.depth ?? 0, 'job')} on the queue.`)
  if (diskFreeBytes !== null && diskFreeBytes < littleDiskBytes)
    add('bad', `${formatBytes(diskFreeBytes)} of disk left.`)
  return found
}

/** The sum of a figure over all services that report it; null if none does. */
export function sumOf(services: readonly ServiceState[], figure: (of: Operations) => number | null): number | null {
  const values = services.flatMap(({ operations }) => {
    const value = operations ? figure(operations) : null
    return value === null ? [] : [value]
  })
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0)
}

/** The time of the oldest unpublished event of any service; null if there is none. */
export function oldestEvent(services: readonly ServiceState[]): string | null {
  const times = services.flatMap(({ operations }) => operations?.outbox.oldestAt ?? [])
  return times.sort()[0] ?? null
}

/** Dead letters with the same cause. */
export interface LetterGroup {
  key: string
  consumer: string
  /** The names of the events in them. */
  events: readonly string[]
  error: string
  letters: readonly DeadLetter[]
  newestAt: string
  oldestAt: string
}

/** Groups letters with the same events and the same error, ignoring ids in it; largest first. */
export function groupLetters(letters: readonly DeadLetter[]): LetterGroup[] {
  const groups = new Map<string, DeadLetter[]>()
  for (const letter of letters) {
    const key = [letter.consumer, ...namesIn(letter), withoutIds(letter.error)].join(' | ')
    groups.set(key, [...(groups.get(key) ?? []), letter])
  }
  return [...groups].map(([key, alike]) => toGroup(key, alike)).sort((a, b) => b.letters.length - a.letters.length)
}

function toGroup(key: string, letters: readonly DeadLetter[]): LetterGroup {
  const times = letters.map(({ at }) => at).sort()
  const [first] = letters
  return {
    key,
    consumer: first?.consumer ?? '',
    events: first ? namesIn(first) : [],
    error: first?.error ?? '',
    letters,
    oldestAt: times[0] ?? '',
    newestAt: times.at(-1) ?? '',
  }
}

const namesIn = ({ events }: DeadLetter): string[] => [...new Set(events.map(({ name }) => name))].sort()
