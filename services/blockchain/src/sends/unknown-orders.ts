import type { Db, Tx } from '@bursar/store'
import { hasAttempts } from './attempts'
import { recordFailed, retryLater } from './sends'
import type { SendRow } from './sends.table'

/**
 * The number of consecutive checks, some minutes, after which a withdrawal is not ordered again: if the wallet service
 * had lost it, the ledger would have ordered it by then.
 */
export const unknownLooks = 12

const said = 'The wallet service has no such order'

/**
 * Handles a send without an order at the wallet service, which waits for a signature. Nothing signed for the
 * send can be mined, so it can end: an execution at once, since nobody orders it again; a withdrawal after some checks.
 */
export async function noteUnknown(
  tx: Tx,
  row: SendRow,
  answer: string,
  when: { pollMs: number; now: Date },
): Promise<void> {
  const waitsFor = `${said}: ${answer}`
  const looks = row.lastError === waitsFor ? row.failures : 0
  if (row.transactionData !== null || looks + 1 >= unknownLooks) {
    return await recordFailed(tx, row, `${said}, and ${await whatWasSigned(tx, row)}: ${answer}`, null, when.now)
  }
  await retryLater(tx, { ...row, failures: looks }, waitsFor, when)
}

const whatWasSigned = async (db: Db, { id }: SendRow): Promise<string> =>
  (await hasAttempts(db, id)) ? 'nothing that was signed for it can be mined' : 'nothing was signed for it'
