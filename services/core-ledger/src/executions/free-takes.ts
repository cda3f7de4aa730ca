import { mostInBatch } from '@bursar/contracts/batch'
import { getSend, getToldMovements, type ToldMovements } from '@bursar/contracts/blockchain'
import type { Client } from '@bursar/http'
import type { Store, Tx } from '@bursar/store'
import { assetsOfCoin } from '../assets/assets'
import { findMovement, unbookedOf } from './book-movement'
import { endExecution, noteState, type OpenExecution, openExecutions } from './end-execution'

interface Deps {
  readonly store: Store
  readonly client: Client
  readonly now: () => Date
}
type FinalExecution = OpenExecution & { txHash: string }

/**
 * Frees what executions might have taken and did not. An end whose event was lost is asked for; one that is final ends
 * when the blockchain service has told all of its transaction, and all of that is booked here. Rejects with CallError
 * while that service is away.
 */
export async function freeTakes(deps: Deps): Promise<void> {
  const { store, client, now } = deps
  for (let after = ''; ; ) {
    const rows = await openExecutions(store.read, after)
    for (const { id, txHash } of rows) {
      const state = txHash === null ? await client.find(getSend, { params: { id } }) : null
      if (state) await store.commit((tx) => noteState(tx, { ...state, id }, now()))
    }
    const final = rows.flatMap((row) => (row.txHash === null ? [] : [{ ...row, txHash: row.txHash }]))
    await endWhole(deps, final)
    const last = rows.at(-1)
    if (!last || rows.length < mostInBatch) return
    after = last.id
  }
}

async function endWhole({ store, client, now }: Deps, executions: readonly FinalExecution[]): Promise<void> {
  if (executions.length === 0) return
  const items = executions.map(({ network, txHash }) => ({ network, txHash }))
  const answers = (await client.call(getToldMovements, { body: { items } })).items
  for (const [i, execution] of executions.entries()) {
    const told = answers[i]
    if (!told?.isWhole) continue
    await store.commit(async (tx) => {
      if (await isBooked(tx, execution, told)) await endExecution(tx, execution.id, now())
    })
  }
}

/** Whether all that was told is here, and in the books as far as they have such assets. */
async function isBooked(tx: Tx, { accountId, network, txHash }: FinalExecution, told: ToldMovements): Promise<boolean> {
  for (const place of told.places) if (!(await findMovement(tx, { network, txHash, place }))) return false
  for (const contractAddress of told.unknownTokens) {
    if ((await assetsOfCoin(tx, network, contractAddress)).length > 0) return false
  }
  for (const row of await unbookedOf(tx, accountId, { network, txHash })) {
    if ((await assetsOfCoin(tx, network, row.contractAddress)).length > 0) return false
  }
  return true
}
