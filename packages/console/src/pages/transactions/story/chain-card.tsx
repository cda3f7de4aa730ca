import { useCan } from '../../../api/session'
import { Amount } from '../../../ui/amount'
import { Card, Facts } from '../../../ui/card'
import { Id } from '../../../ui/id'
import { Loaded, Note } from '../../../ui/states'
import { Badge, Status } from '../../../ui/status'
import { In, Time } from '../../../ui/time'
import { type Transaction, useOnChain } from './story-query'

/** The transaction outside the ledger: its order at the wallet service, and its state on the network. */
export function ChainCard({ of }: { of: Transaction }) {
  const isStaff = useCan('read')
  const { isOrdered, order, hash, chain } = useOnChain(of)
  if (of.type === 'TRANSFER') return null
  return (
    <Card title="On its network" aside={of.network}>
      {isStaff && isOrdered ? (
        <Loaded of={order}>
          {(data) =>
            data === null ? <p class="hint">The wallet service has no order for it yet.</p> : <Order of={data} />
          }
        </Loaded>
      ) : null}
      {hash === null ? (
        isOrdered && isStaff && order.data === null ? null : (
          <p class="hint">It has no transaction on {of.network} yet.</p>
        )
      ) : (
        <Loaded of={chain}>
          {(data) =>
            data === null ? <p class="hint">No network knows its hash.</p> : <OnChain of={data} hash={of.txHash} />
          }
        </Loaded>
      )}
    </Card>
  )
}

function Order({ of }: { of: NonNullable<OnChainParts['order']['data']> }) {
  return (
    <>
      {of.reason ? <Note tone={of.status === 'failed' ? 'bad' : 'wait'}>{of.reason}</Note> : null}
      <Facts
        of={[
          ['Wallet', <Status value={of.status} />],
          ['Waits for', of.waitsFor],
          ['Attempts', of.attempts > 0 ? of.attempts : null],
          ['Signed', of.signedAt ? <Time at={of.signedAt} zone /> : null],
          ['Paid from', of.payer ? <Id value={of.payer} isWhole /> : null],
          ['Fees from', of.feePayer ? <Id value={of.feePayer} isWhole /> : null],
          [
            'Next check',
            of.nextAttemptAt && Date.parse(of.nextAttemptAt) > Date.now() ? <In at={of.nextAttemptAt} /> : null,
          ],
        ]}
      />
    </>
  )
}

type OnChainParts = ReturnType<typeof useOnChain>

/** The ledger's own `hash` stands among the facts. */
function OnChain({ of, hash }: { of: NonNullable<OnChainParts['chain']['data']>; hash: string | null }) {
  return (
    <>
      <Facts
        of={[
          [
            'Network',
            <span class="row">
              <Status value={of.status} />
              {of.simulated ? <Badge>Simulated</Badge> : null}
            </span>,
          ],
          ['Hash', of.transactionHash === hash ? null : <Id value={of.transactionHash} isWhole />],
          ['Block', of.blockNumber === null ? null : <code>{of.blockNumber}</code>],
          ['Confirmations', of.confirmations],
          ['At', of.timestamp ? <Time at={of.timestamp} zone /> : null],
          ['Why', of.reason],
        ]}
      />
      <ul class="rows">
        {of.transfers.map((transfer, i) => (
          <li key={i} class="box ends">
            <Amount value={transfer.amount} asset={transfer.currency ?? undefined} />
            <span>
              from <Id value={transfer.fromAddress} isBare /> to <Id value={transfer.toAddress} isBare />
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}
