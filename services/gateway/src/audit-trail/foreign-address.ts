import { type AppError, type Caller, currentRequestId } from '@bursar/http'
import type { Audit } from './audit'

/** Records that an API key was used from an address that it may not be used from. */
export const noteForeignAddress =
  (audit: Pick<Audit, 'note'>) =>
  ({ subject, participantId }: Caller, from: string, { status, message }: AppError): Promise<void> =>
    audit.note(
      {
        actor: { door: 'api', id: subject, roles: [], session: null, address: from },
        service: 'gateway',
        action: 'USE of an API key from a foreign address',
        object: participantId,
        requestId: currentRequestId() ?? '',
        request: undefined,
      },
      { status, problem: message },
    )
