import type { Db, Tx } from '@bursar/store'
import { hasAttempts, recordFailed, retryLater } from './sends'
import type { SendRow } from './sends.table'

/**
 * After so many looks in a row, which take some minutes, nobody orders a withdrawal anew any more: had the wallet service
 * forgotten it, the ledger would have by then.
 */
export const unknownLooks = 12

const said = 'The wallet service has no such order'

/**
 * The wallet service answers that it knows no order of a send that waits for a signature. Nothing that was signed for the
 * send can be mined, so it can end: an execution at once, for nobody orders it anew; a withdrawal in the end.
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
