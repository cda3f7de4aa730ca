import { useOwner } from '../../api/owners'
import { useCan } from '../../api/session'
import { groupDigits } from '../../format/amount'
import { shortenIds } from '../../format/words'
import { Actor } from '../../ui/actor'
import { Usd } from '../../ui/amount'
import { Card, Facts } from '../../ui/card'
import { Id } from '../../ui/id'
import { JsonView } from '../../ui/json-view'
import type { RouteParams } from '../../ui/load-page'
import { AccountName, CustomerName, InstitutionName } from '../../ui/names'
import { Page } from '../../ui/page'
import { Empty, ErrorNote, Loaded, Note, Skeleton, Stale } from '../../ui/states'
import { Status } from '../../ui/status'
import { Age, In, Time } from '../../ui/time'
import { Comments } from '../review/comments'
import { kindWord } from './kind'
import { Screening } from './screening'
import { evidenceOf, isBare } from './screening-evidence'
import { Acts } from './story/acts'
import { ChainCard } from './story/chain-card'
import {
  type Transaction,
  useDecisions,
  useExecution,
  useReviewTerms,
  useScreeningJobs,
  useTransaction,
} from './story/story-query'
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

/** The facts of a transaction. */
function FactsCard({ of }: { of: Transaction }) {
  const owner = useOwner('accounts', of.accountId)
  return (
    <Card title="Facts">
      <Facts
        of={[
          ['Id', <Id value={of.id} isWhole />],
          ['Account', <AccountName id={of.accountId} />],
          ['To account', of.toAccountId ? <AccountName id={of.toAccountId} /> : null],
          ['Customer', of.customerId ? <CustomerName id={of.customerId} accountId={of.accountId} /> : null],
          ['Institution', owner.data?.participantId ? <InstitutionName accountId={of.accountId} /> : null],
          ['Asset', `${of.asset.name} on ${of.network}`],
          ['Reference', of.reference],
          ['From', of.sourceAddress ? <Id value={of.sourceAddress} isWhole /> : null],
          ['To', of.destinationAddress ? <Id value={of.destinationAddress} isWhole /> : null],
          ['Returns', of.returns ? <Id value={of.returns} href={`/console/transactions/${of.returns}`} /> : null],
          [
            'Returned by',
            of.returnedBy ? <Id value={of.returnedBy} href={`/console/transactions/${of.returnedBy}`} /> : null,
          ],
          ['Hash', of.txHash ? <Id value={of.txHash} isWhole /> : null],
          ['Rejected', of.rejectionReason],
          ['Failed', of.failureReason],
          ['Created', <Time at={of.createdAt} zone />],
          ['Changed', <Time at={of.updatedAt} zone />],
        ]}
      />
    </Card>
  )
}

/** The screening's result, and the jobs of the sanctions service about it; the timeline alone tells one without evidence. */
function ScreeningCard({ of }: { of: Transaction }) {
  const jobs = useScreeningJobs(of)
  const isStaff = useCan('read')
  const evidence = evidenceOf(of.screeningData)
  if (isBare(evidence) && !of.screeningData && !jobs.data?.length) return null
  return (
    <Card title="Screening" aside={evidence.provider}>
      {isBare(evidence) ? null : <Screening data={of.screeningData} />}
      {of.screeningData ? <JsonView of={of.screeningData} title="The whole answer of the screening" /> : null}
      {isStaff ? (
        <Loaded of={jobs} lines={1}>
          {(list) =>
            list.length === 0 ? null : (
              <ul class="rows">
                {list.map((job) => (
                  <li key={job.jobId} class="ends">
                    <span>
                      Job <Id value={job.jobId} href={`/console/sanctions?job=${job.jobId}`} />
                    </span>
                    <Status value={job.sanctioned ? 'hit' : job.status} />
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      ) : null}
    </Card>
  )
}

type Execution = NonNullable<ReturnType<typeof useExecution>['data']>

/** How an approved transaction is being carried out: what failed, and when it is tried again. */
function ExecutionCard({ of }: { of: Transaction }) {
  const execution = useExecution(of)
  if (of.status !== 'APPROVED') return null
  return (
    <Card title="Execution" aside={<span class="hint">read every few seconds</span>}>
      <Loaded of={execution}>
        {(data) => (data === null ? <p class="hint">It has just been carried out.</p> : <Attempts of={data} />)}
      </Loaded>
    </Card>
  )
}

function Attempts({ of }: { of: Execution }) {
  const { attempts, lastError, nextAttemptAt, underWayUntil, orderedAt, acceptedAt, queuedAt, lane } = of
  const isUnderWay = underWayUntil !== null && Date.parse(underWayUntil) > Date.now()
  return (
    <>
      {lastError ? (
        <Note tone="wait">
          <strong>Attempt {attempts} did not carry it out.</strong> {shortenIds(lastError)}.
        </Note>
      ) : null}
      <Facts
        of={[
          ['By', lane === 'chain' ? 'the wallet service, on its network' : 'the ledger itself'],
          ['Waits', <Age since={queuedAt} />],
          ['Next', isUnderWay ? 'an attempt is under way' : <Next at={nextAttemptAt} />],
          ['Attempts', attempts],
          ['Ordered', orderedAt ? <Time at={orderedAt} zone /> : null],
          ['Accepted', acceptedAt ? <Time at={acceptedAt} zone /> : null],
        ]}
      />
    </>
  )
}

function Next({ at }: { at: string }) {
  if (Date.parse(at) <= Date.now()) return <>now</>
  return (
    <>
      <In at={at} />, at <Time at={at} zone />
    </>
  )
}
