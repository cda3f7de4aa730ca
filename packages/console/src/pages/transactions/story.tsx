import { useCan } from '../../api/session'
import { groupDigits } from '../../format/amount'
import { Actor } from '../../ui/actor'
import { Usd } from '../../ui/amount'
import { JsonView } from '../../ui/json-view'
import type { RouteParams } from '../../ui/load-page'
import { Page } from '../../ui/page'
import { Empty, ErrorNote, Note, Skeleton, Stale } from '../../ui/states'
import { Status } from '../../ui/status'
import { Comments } from '../review/comments'
import { kindWord } from './kind'
import { Acts } from './story/acts'
import { ChainCard } from './story/chain-card'
import { ExecutionCard } from './story/execution-card'
import { FactsCard } from './story/facts-card'
import { ScreeningCard } from './story/screening-card'
import { type Transaction, useDecisions, useReviewTerms, useTransaction } from './story/story-query'
import { TimelineCard } from './story/timeline-card'
import { verbs } from './story/timeline-line'

const up = { href: '/console/transactions', words: 'Transactions' }

/** The full story of a transaction. Each part is read separately: a failing one shows its error, others stay. */
export default function Story({ params }: RouteParams) {
  const id = params.id ?? ''
  const transaction = useTransaction(id)
  const { data, error } = transaction
  const retry = () => void transaction.refetch()
  if (!data) {
    return (
      <Page title="Transaction" up={up}>
        {error?.status === 404 || error?.status === 400 ? (
          <Empty icon="search" title="There is no such transaction">
            <p>No transaction has this id. It may belong to another kind of record: search for it.</p>
          </Empty>
        ) : error ? (
          <ErrorNote error={error} retry={retry} />
        ) : (
          <Skeleton lines={10} />
        )}
      </Page>
    )
  }
  const { type, amount, asset, status } = data
  return (
    <Page
      title={`${kindWord(type)} of ${groupDigits(amount)} ${asset.code}`}
      up={up}
      badge={<Status value={status} />}
      actions={<Acts of={data} />}
    >
      {error ? <Stale error={error} readAt={transaction.dataUpdatedAt} retry={retry} /> : null}
      <TakenBack of={data} />
      <UnbookedPayment of={data} />
      <Terms of={data} />
      <Parts of={data} />
    </Page>
  )
}

function Parts({ of }: { of: Transaction }) {
  const isStaff = useCan('read')
  const mayAct = useCan('operate')
  return (
    <div class="columns is-side story">
      <div class="stack">
        <ExecutionCard of={of} />
        <TimelineCard of={of} />
        {isStaff ? (
          <div class="story-last">
            <Comments id={of.id} mayWrite={mayAct} />
          </div>
        ) : null}
      </div>
      <div class="stack">
        <FactsCard of={of} />
        <ScreeningCard of={of} />
        <ChainCard of={of} />
        <div class="story-last">
          <JsonView of={of} />
        </div>
      </div>
    </div>
  )
}

/** Something is missing since its chain has taken it back. */
const TakenBack = ({ of }: { of: Transaction }) =>
  of.takenBack ? (
    <Note tone="bad">
      <strong>Its chain has taken it back.</strong> Withdrawals of its account wait until the chain confirms it again,
      or until what is missing is paid in and the deposit is covered.
    </Note>
  ) : null

/** It was paid twice, or with another amount: nothing here posts that. */
const UnbookedPayment = ({ of }: { of: Transaction }) =>
  of.unbookedPayment ? (
    <Note tone="bad">
      <strong>A payment of it is in no books:</strong> it was sent twice, or with another amount. Claim it back from
      whoever got it, or pay in what is missing; then cover it.
    </Note>
  ) : null

/** The first of two persons; of a frozen transaction also its value, and how many persons must approve it. */
function Terms({ of }: { of: Transaction }) {
  const { data } = useReviewTerms(of)
  const last = useDecisions(of).data?.at(-1)
  if (last && last.decision !== 'PROPOSED' && last.decision.endsWith('PROPOSED')) {
    return (
      <Note tone="wait" icon="users">
        <Actor of={last.actor} /> {verbs[last.decision]}; another person must decide it, too.
      </Note>
    )
  }
  if (of.status !== 'FROZEN' || !data || data.required < 2) return null
  const [first] = data.approvals
  return (
    <Note tone={first ? 'wait' : 'plain'} icon="users">
      {first ? (
        <>
          <strong>First of two.</strong> <Actor of={first.actor} /> has approved it; another person must approve it,
          too.
        </>
      ) : data.usdValue === null ? (
        'It takes two persons to approve this: its value is unknown.'
      ) : (
        <>
          It takes two persons to approve this: it is worth about <Usd value={data.usdValue} />.
        </>
      )}
    </Note>
  )
}
