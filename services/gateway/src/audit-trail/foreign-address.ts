import { type Caller, currentRequestId } from '@bursar/http'
import type { Refusal } from '../access/key-addresses'
import type { Audit } from './audit'

/** Records that an API key or an institution's user was used from an address that is not allowed. */
export const noteForeignAddress =
  (audit: Pick<Audit, 'note'>) =>
  ({ kind, subject, participantId, roles }: Caller, from: string, { error, door }: Refusal): Promise<void> =>
    audit.note(
      {
        actor: { door, id: subject, roles, session: null, address: from },
        service: 'gateway',
        action: kind === 'user' ? 'REQUEST from a foreign address' : 'USE of an API key from a foreign address',
        object: participantId,
        requestId: currentRequestId() ?? '',
        request: undefined,
      },
      { status: error.status, problem: error.message },
    )
