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
  wait: [
    'frozen',
    'proposed',
    'in review',
    'review',
    'on hold',
    'awaiting',
    'retrying',
    'stale',
    'suspended',
    'inactive',
    'expired',
    'draft',
    'requested',
    'under review',
    'degraded',
    'must change password',
  ],
  bad: [
    'failed',
    'failure',
    'rejected',
    'cancelled',
    'canceled',
    'error',
    'blocked',
    'disabled',
    'terminated',
    'closed',
    'denied',
    'down',
    'dead',
    'unreachable',
    'hit',
    'sanctioned',
    'away',
  ],
  move: [
    'approved',
    'processing',
    'executing',
    'sent',
    'broadcast',
    'confirming',
    'in progress',
    'in process',
    'running',
    'accepted',
    'delivering',
    'active job',
    'signed',
  ],
  good: [
    'completed',
    'success',
    'succeeded',
    'active',
    'delivered',
    'ok',
    'up',
    'clear',
    'confirmed',
    'settled',
    'done',
    'enabled',
    'passed',
    'verified',
    'available',
    'live',
    'answers',
    'finished',
  ],
}
const icons = new Map<string, IconName>(
  Object.entries({
    frozen: 'frozen',
    rejected: 'cross',
    cancelled: 'cross',
    closed: 'lock',
    suspended: 'pause',
  }),
)

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
