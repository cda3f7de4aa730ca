import { type Deps, followPeer } from '@bursar/http'
import type { Loop } from '@bursar/store'
import type { Institutions } from './institutions'
import type { PublicKeys } from './public-keys'
import type { Revocations } from './revocations'

/**
 * A session that was ended, a key that was dropped or an institution that was offboarded is refused after this time,
 * also while Redis is unreachable.
 */
const followMs = 2000

interface Followed extends Pick<Deps, 'log'> {
  publicKeys: Pick<PublicKeys, 'refresh'>
  revocations: Pick<Revocations, 'pull'>
  institutions: Pick<Institutions, 'pull'>
}

/**
 * Follow the signing keys, the ended sessions and the states of institutions, so that credentials verified
 * earlier are refused soon after. While a service is unreachable the known state stays, and the log says so.
 */
export const followingOthers = ({ log, publicKeys, revocations, institutions }: Followed): Loop[] => [
  followPeer({ log }, 'The look at the signing keys', publicKeys.refresh, followMs),
  followPeer({ log }, 'The look at ended sessions', revocations.pull, followMs),
  followPeer({ log }, 'The look at the states of institutions', institutions.pull, followMs),
]
