import type { OpenWork } from '../../api/open-work'

/** A transaction that waits for a person. */
export type WaitingItem =
  | { is: 'frozen'; id: string; since: string; of: OpenWork['frozen'][number] }
  | { is: 'stuck'; id: string; since: string; of: OpenWork['stuck'][number] }

/** The three that wait longest, frozen or stuck. */
export function oldestWork({ frozen, stuck }: Pick<OpenWork, 'frozen' | 'stuck'>): WaitingItem[] {
  return [
    ...frozen.map((of): WaitingItem => ({ is: 'frozen', id: of.id, since: of.createdAt, of })),
    ...stuck.map((of): WaitingItem => ({ is: 'stuck', id: of.id, since: of.queuedAt, of })),
  ]
    .sort((one, other) => one.since.localeCompare(other.since))
    .slice(0, 3)
}
