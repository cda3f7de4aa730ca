import { mostInBatch } from '@bursar/contracts/batch'
import { getSend, getToldMovements, type ToldMovements } from '@bursar/contracts/blockchain'
import { getKnownOrders } from '@bursar/contracts/wallet'
import type { Deps as Common } from '@bursar/http'
import { type ChunkPlace, inChunks, type Tx } from '@bursar/store'
import { assetsOfCoin } from '../assets/assets'
import { endExecution, noteState, type OpenExecution, openExecutions } from './end-execution'
import { findMovement, unbookedOf } from './movements'

type Deps = Pick<Common, 'store' | 'client' | 'log' | 'now'>
type FinalExecution = OpenExecution & { txHash: string }

/**
 * Releases amounts that executions could have taken and did not. If the event of an end was lost, the state is fetched.
 * A final execution ends when the blockchain service has listed all movements of its transaction, and all are posted
 * here. Rejects with CallError while that service is unavailable.
 */
export async function freeTakes(deps: Deps): Promise<void> {
  const { store, client, now } = deps
  const chunk = (place: ChunkPlace<string>) => openExecutions(store.read, place)
  for await (const rows of inChunks(chunk, { size: mostInBatch, start: '', keyOf: ({ id }) => id })) {
    const unknown: OpenExecution[] = []
    for (const row of rows) {
      if (row.txHash !== null) continue
      const state = await client.find(getSend, { params: { id: row.id } })
      if (state) await store.commit((tx) => noteState(tx, { ...state, id: row.id }, now()))
      else unknown.push(row)
    }
    await endForgotten(deps, unknown)
    const final = rows.flatMap((row) => (row.txHash === null ? [] : [{ ...row, txHash: row.txHash }]))
    await endWhole(deps, final)
  }
}

/** The time after which a signed transaction of a forgotten execution is no longer expected on the chain. */
const forgottenMs = 60 * 60 * 1000

/**
 * For executions unknown to the blockchain service, the state is fetched from the wallet service. One that is unknown
 * there as well, as after a restore, is never signed again: it ends once all movements of its last known transaction
 * are posted, or after an hour. Movements that arrive later are still posted.
 */
async function endForgotten(deps: Deps, executions: readonly OpenExecution[]): Promise<void> {
  if (executions.length === 0) return
  const { store, client, log, now } = deps
  const items = executions.map(({ id }) => id)
  const orders = (await client.call(getKnownOrders, { body: { items } })).items
  const sent: FinalExecution[] = []
  for (const [i, execution] of executions.entries()) {
    const { id, authorisedAt, sentHash } = execution
    const order = orders[i] ?? null
    if (order) await store.commit((tx) => noteState(tx, order, now()))
    else if (now().getTime() - authorisedAt.getTime() > forgottenMs) {
      log.warn({ executionId: id }, 'A forgotten execution was ended: no service knows it')
      await store.commit((tx) => endExecution(tx, id, now()))
    } else if (sentHash !== null) sent.push({ ...execution, txHash: sentHash })
  }
  await endWhole(deps, sent)
}

async function endWhole({ store, client, now }: Deps, executions: readonly FinalExecution[]): Promise<void> {
  if (executions.length === 0) return
  const items = executions.map(({ network, txHash }) => ({ network, txHash }))
  const answers = (await client.call(getToldMovements, { body: { items } })).items
  for (const [i, execution] of executions.entries()) {
    const reported = answers[i]
    if (!reported?.isWhole) continue
    await store.commit(async (tx) => {
      if (await isBooked(tx, execution, reported)) await endExecution(tx, execution.id, now())
    })
  }
}

/** Whether all listed movements have arrived, and are posted if the ledger has their assets. */
async function isBooked(
  tx: Tx,
  { accountId, network, txHash }: FinalExecution,
  reported: ToldMovements,
): Promise<boolean> {
  for (const place of reported.places) if (!(await findMovement(tx, { network, txHash, place }))) return false
  for (const contractAddress of reported.unknownTokens) {
    if ((await assetsOfCoin(tx, network, contractAddress)).length > 0) return false
  }
  for (const row of await unbookedOf(tx, accountId, { network, txHash })) {
    if ((await assetsOfCoin(tx, network, row.contractAddress)).length > 0) return false
  }
  return true
}
