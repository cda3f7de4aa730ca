import { useState } from 'preact/hooks'
import { useList } from '../../api/list'
import { reread } from '../../api/query'
import { core, pageOf } from '../../api/services'
import { useCan } from '../../api/session'
import { Act } from '../../ui/act'
import { Amount } from '../../ui/amount'
import { Button } from '../../ui/button'
import { Card } from '../../ui/card'
import { amountColumn } from '../../ui/columns'
import { type Column, DataTable } from '../../ui/data-table'
import { Id } from '../../ui/id'
import { Empty } from '../../ui/states'
import { Status } from '../../ui/status'
import { Time } from '../../ui/time'
import type { Movement } from './accounts-query'

/** Movements at a portfolio's own addresses other than its transactions, and whether they are booked. */
export function Movements({ id }: { id: string }) {
  const list = useList<Movement>({
    key: ['balances', 'movements', id],
    page: (after, limit, signal) =>
      pageOf(
        core.GET('/balances/account/{accountId}/movements', {
          params: { path: { accountId: id }, query: { order: 'desc', limit, after } },
          signal,
        }),
      ),
    everyMs: 30_000,
  })
  const mayAct = useCan('operate')
  const [covering, setCovering] = useState<Movement | null>(null)
  return (
    <Card title="Movements on chain" aside="other than its transactions" isFlush>
      <DataTable
        label="Movements on chain"
        columns={[...columns, inTheBooks(mayAct ? setCovering : undefined)]}
        list={list}
        empty={<Empty icon="chain" title="No movements other than its transactions" />}
      />
      {covering ? <CoverDialog accountId={id} of={covering} onClose={() => setCovering(null)} /> : null}
    </Card>
  )
}

/** What came in is not there any more: a person has replaced it. */
const CoverDialog = ({ accountId, of, onClose }: { accountId: string; of: Movement; onClose(): void }) => (
  <Act
    title="Cover what is missing?"
    confirm="Cover"
    note={{ label: 'Reason', min: 3, suggestions: ['The platform has paid in what is missing'] }}
    act={async ({ note, headers }) => {
      const sent = { params: { path: { accountId } }, headers, body: { movement: of.id, reason: note } }
      return (await core.POST('/balances/account/{accountId}/movements/cover', sent)).response.status === 202
    }}
    done={(isProposed) => (isProposed ? 'Another person must decide it, too' : 'The movement is covered')}
    onDone={() => reread(['balances'], ['reconciliation'])}
    onClose={onClose}
  >
    <p>
      <Amount value={of.amount} asset={of.assetCode ?? undefined} />
    </p>
    <p>
      Its chain has taken it back. Pay in what is missing to the portfolio’s own address first, and leave that deposit
      in suspense: nothing is booked by this, and the account’s withdrawals no longer wait for it. This is final, also
      if the chain confirms it again.
    </p>
  </Act>
)

const kinds = { in: 'Came in', out: 'Went out', fee: 'Network fee' } as const

const columns: readonly Column<Movement>[] = [
  { head: 'Confirmed', narrow: 'sub', cell: ({ confirmedAt }) => <Time at={confirmedAt} /> },
  { head: 'What', narrow: 'lead', cell: ({ kind }) => kinds[kind] },
  amountColumn(({ amount, assetCode, contractAddress }) => (
    <Amount value={amount} asset={assetCode ?? contractAddress ?? undefined} />
  )),
  { head: 'Transaction', cell: ({ txHash }) => <Id value={txHash} /> },
]

/** `cover` where the user may. */
const inTheBooks = (cover: ((of: Movement) => void) | undefined): Column<Movement> => ({
  head: 'In the books',
  narrow: 'sub-end',
  cell: (row) =>
    row.takenBack ? (
      <>
        <Status value="taken back" tone="bad" />{' '}
        {cover ? (
          <Button isSmall onClick={() => cover(row)}>
            Cover…
          </Button>
        ) : null}
      </>
    ) : row.bookedAt ? (
      <Status value="booked" tone="good" />
    ) : (
      <>
        <Status value="waits" tone="wait" /> <span class="sub">{row.waitsFor}</span>
      </>
    ),
})
