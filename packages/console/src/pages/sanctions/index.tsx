import { useState } from 'preact/hooks'
import { type ApiError, asApiError } from '../../api/api-error'
import { formatCount } from '../../format/amount'
import { counted, shorten } from '../../format/words'
import { announce } from '../../ui/announce'
import { Button } from '../../ui/button'
import { Card, Figure } from '../../ui/card'
import { type Column, DataTable } from '../../ui/data-table'
import { Field } from '../../ui/field'
import { Filters } from '../../ui/filters'
import { Id } from '../../ui/id'
import { Page } from '../../ui/page'
import { Empty, ErrorNote, Loaded, Note } from '../../ui/states'
import { Age, Ago, Time } from '../../ui/time'
import { type BoundFilters, useFilters } from '../../ui/use-filters'
import { Views } from '../../ui/views'
import { JobView } from './job-view'
import { ResultBadge } from './result-badge'
import {
  type AddressResult,
  checkAddress,
  type Job,
  jobFilters,
  type SanctionsList,
  useJobs,
  useLists,
} from './sanctions-queries'
import { SourceFindings } from './source-findings'

const views = [
  { name: 'All', query: '' },
  { name: 'Sanctioned', query: 'result=hit' },
  { name: 'Unknown', query: 'result=failed' },
  { name: 'Under way', query: 'result=pending' },
]

/** Screenings: their subjects, the list, and the results. */
export default function Sanctions() {
  const { values } = useFilters(['job'])
  return values.job === '' ? <Screenings /> : <JobView key={values.job} id={values.job} />
}

function Screenings() {
  const filters = useFilters(jobFilters)
  return (
    <Page title="Sanctions">
      <ListCards />
      <CheckCard />
      <section class="stack" aria-label="Screenings">
        <h2>Screenings</h2>
        <Views page="/console/sanctions" views={views} />
        <JobTable of={filters} />
      </section>
    </Page>
  )
}

/** The list that screenings use: its version, its age, and the error of its last update. */
function ListCards() {
  const read = useLists()
  return (
    <Loaded of={read} lines={6}>
      {(lists) => lists.map((list) => <ListCard key={list.source} list={list} />)}
    </Loaded>
  )
}

function ListCard({ list }: { list: SanctionsList }) {
  const { isOld, lastFailure, ageHours, checksum } = list
  return (
    <section class="stack" aria-label={list.source}>
      <div class="figures">
        <Figure
          label={`${list.source} list`}
          value={ageWords(ageHours)}
          tone={isOld ? 'wait' : undefined}
          note={`old, version ${list.version}`}
        />
        <Figure label="Addresses" value={formatCount(list.entries)} note="listed" />
        <Figure label="Names" value={formatCount(list.names)} note="listed" />
        <Figure
          label="Screened again"
          value={formatCount(list.rescreened)}
          tone={list.rescreenHits > 0 ? 'bad' : undefined}
          note={list.rescreenHits > 0 ? `${counted(list.rescreenHits, 'new hit')} in this list` : null}
        />
        <Figure
          label="In use"
          value={list.loadedAt ? <Age since={list.loadedAt} /> : '–'}
          note={
            <>
              {list.origin}
              {checksum ? (
                <>
                  {' '}
                  <code title={checksum}>{shorten(checksum)}</code>
                </>
              ) : null}
            </>
          }
        />
      </div>
      {isOld ? (
        <Note tone="wait">
          Parties that were listed since are not found. Install the current list with{' '}
          <code>bun run sanctions:update</code>.
        </Note>
      ) : null}
      {lastFailure ? (
        <Note tone="bad">
          <Ago what="The last update failed" at={lastFailure.at} />: {lastFailure.reason}
        </Note>
      ) : null}
    </section>
  )
}

const ageWords = (hours: number): string =>
  hours < 48 ? counted(hours, 'hour') : counted(Math.floor(hours / 24), 'day')

/** Screens an address by hand, and shows the result of each source. */
function CheckCard() {
  const [isAsking, setAsking] = useState(false)
  const [found, setFound] = useState<AddressResult | null>(null)
  const [refused, setRefused] = useState<{ address: string; error: ApiError } | null>(null)
  const check = async (address: string, blockchain: string) => {
    setAsking(true)
    setFound(null)
    setRefused(null)
    try {
      const result = await checkAddress(address, blockchain)
      setFound(result)
      announce(result.sanctioned ? 'The address is sanctioned' : 'No source has the address')
    } catch (cause) {
      setRefused({ address, error: asApiError(cause) })
    }
    setAsking(false)
  }
  return (
    <Card title="Check an address">
      <form
        class="check"
        onSubmit={(event) => {
          event.preventDefault()
          const form = new FormData(event.currentTarget)
          void check(String(form.get('address')).trim(), String(form.get('blockchain')).trim())
        }}
      >
        <Field label="Address" name="address" required maxLength={256} spellcheck={false} class="mono" />
        <Field label="Network" name="blockchain" required maxLength={128} list="networks" defaultValue="ethereum" />
        <datalist id="networks">
          {['bitcoin', 'ethereum', 'polygon', 'solana', 'stellar', 'tron'].map((network) => (
            <option key={network} value={network} />
          ))}
        </datalist>
        <Button type="submit" look="main" icon="search" disabled={isAsking}>
          {isAsking ? 'Asking…' : 'Check'}
        </Button>
      </form>
      {refused ? <ErrorNote error={refused.error} title={`${refused.address} could not be checked.`} /> : null}
      {found ? <Result of={found} /> : null}
      <p class="hint">Every source is asked. The address is watched from then on: it is compared with each new list.</p>
    </Card>
  )
}

function Result({ of: { address, blockchain, sanctioned, sources, checkedAt } }: { of: AddressResult }) {
  return (
    <div class="rows check-result">
      <p class="row">
        <ResultBadge status="completed" sanctioned={sanctioned} />
        <code>{address}</code>
        <span class="hint">
          {blockchain}, <Time at={checkedAt} zone />
        </span>
      </p>
      <SourceFindings sources={sources} />
    </div>
  )
}

const kinds = { ledger: 'Transaction of the ledger', address: 'Address', transaction: 'Transaction on chain' } as const

const columns: readonly Column<Job>[] = [
  { head: 'Created', cell: ({ createdAt }) => <Time at={createdAt} />, narrow: 'sub-end' },
  {
    head: 'Screened',
    cell: ({ subject }) =>
      subject === '' ? <span class="none">no party outside</span> : <Id value={subject} isBare />,
    narrow: 'lead',
  },
  { head: 'Network', cell: ({ blockchain }) => blockchain, narrow: 'sub' },
  { head: 'Kind', cell: ({ kind }) => kinds[kind], narrow: 'hide' },
  {
    head: 'For',
    isWide: true,
    cell: ({ kind, externalId }) =>
      kind === 'ledger' ? <Id value={externalId} href={`/console/transactions/${externalId}`} isBare /> : externalId,
  },
  {
    head: 'Result',
    cell: ({ status, sanctioned }) => <ResultBadge status={status} sanctioned={sanctioned} />,
    narrow: 'end',
  },
]

/** All screenings with their results. */
function JobTable({ of }: { of: BoundFilters<(typeof jobFilters)[number]> }) {
  const list = useJobs(of.values)
  return (
    <>
      <Filters
        label="Filter screenings"
        of={of}
        fields={[
          { kind: 'text', name: 'address', label: 'Address or hash', isWide: true },
          {
            kind: 'choice',
            name: 'result',
            label: 'Result',
            options: [
              ['hit', 'Sanctioned'],
              ['clear', 'Clear'],
              ['failed', 'Unknown'],
              ['pending', 'Under way'],
            ],
          },
          { kind: 'choice', name: 'kind', label: 'Kind', options: Object.entries(kinds) },
          { kind: 'text', name: 'transactionId', label: 'Transaction id' },
          { kind: 'period', name: 'from', to: 'to', label: 'Days' },
        ]}
      />
      <DataTable
        label="Screenings"
        columns={columns}
        list={list}
        idOf={({ jobId }) => jobId}
        hrefOf={({ jobId }) => `/console/sanctions?job=${jobId}`}
        empty={
          <Empty
            icon="sanctions"
            title={of.hasAny ? 'No screening matches these filters' : 'There is no screening yet'}
          >
            <p>Screenings of deposits, withdrawals and requests of participants appear here.</p>
            {of.hasAny ? <Button onClick={of.clear}>Clear the filters</Button> : null}
          </Empty>
        }
      />
    </>
  )
}
