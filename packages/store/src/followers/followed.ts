// Rows in the order in which they were committed, each once. An embedded database has one writer, which commits them in the order
// of the numbers that it gives: there a follower keeps its place (places.ts). On a server a transaction with lower numbers may
// commit after one with higher ones: there each commit lists its rows for the follower (arrivals.ts).
import { dialect } from '../config'
import { arrivalsFollower, listArrivals } from './arrivals'
import type { Followed, Follower, Source } from './follower'
import { placeFollower } from './places'

/** Declares rows that are followed, by a name of their own within the service. */
export const followed = <const K extends string>(name: string, _kinds: readonly K[]): Followed<K> => ({
  name,
  note: dialect === 'sqlite' ? () => {} : (tx, kind, numbers) => listArrivals(tx, { follower: name, kind, numbers }),
})

/** The follower of these rows; one for each name. */
export const follower = <K extends string>({ name }: Followed<K>, sources: Record<K, Source>): Follower<K> =>
  dialect === 'sqlite' ? placeFollower(name, sources) : arrivalsFollower(name, Object.keys(sources) as K[])
