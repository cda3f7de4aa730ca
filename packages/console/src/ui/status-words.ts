import type { IconName } from './icon-paths'

/** The meaning of the colours: amber waits, red failed, blue is in progress, green is done. */
export type Tone = 'wait' | 'bad' | 'move' | 'good' | 'plain'

const looks = {
  wait: 'clock',
  bad: 'bang',
  move: 'moving',
  good: 'check',
  plain: 'circle',
} as const satisfies Record<Tone, IconName>

const tones: Record<Exclude<Tone, 'plain'>, readonly string[]> = {
  wait: ['frozen', 'in review', 'under review', 'suspended', 'inactive'],
  bad: ['failed', 'failure', 'rejected', 'cancelled', 'disabled', 'hit', 'sanctioned'],
  move: ['approved', 'processing', 'in progress', 'accepted', 'broadcast'],
  good: ['completed', 'success', 'active', 'delivered', 'ok', 'clear', 'confirmed', 'done', 'passed', 'answers'],
}
const icons = new Map<string, IconName>([
  ['frozen', 'frozen'],
  ['rejected', 'cross'],
  ['cancelled', 'cross'],
  ['suspended', 'pause'],
])

const byWord = new Map(
  Object.entries(tones).flatMap(([tone, words]) => words.map((word): [string, Tone] => [word, tone as Tone])),
)

/** The colour and icon of a status in words (`in review`); an unknown one is plain. */
export function lookOf(words: string): { tone: Tone; icon: IconName } {
  const word = words.toLowerCase()
  const tone = byWord.get(word) ?? 'plain'
  return { tone, icon: icons.get(word) ?? looks[tone] }
}
export const iconOf = (tone: Tone): IconName => looks[tone]
