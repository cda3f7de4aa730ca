import { wholeList } from '../../api/list'
import { useRead } from '../../api/read'
import { main } from '../../api/services'
import { useCan, useSession } from '../../api/session'
import { counted, toWords } from '../../format/words'
import { Actor } from '../../ui/actor'
import { Card, Facts } from '../../ui/card'
import { type Column, DataTable } from '../../ui/data-table'
import { Id } from '../../ui/id'
import { JsonView } from '../../ui/json-view'
import type { RouteParams } from '../../ui/load-page'
import { AccountName } from '../../ui/names'
import { Page } from '../../ui/page'
import { Empty, Loaded } from '../../ui/states'
import { Status } from '../../ui/status'
import { HistoryCard } from '../../ui/status-history'
import { Time } from '../../ui/time'
import { isValid, useApiKeys } from '../keys/keys-query'
import { Information } from './additional-information'
import { AddressesCard } from './addresses'
import { BankAccounts } from './bank-accounts'
import { CreditLines } from './credit-lines'
import { Documents } from './documents'
import {
  customersIn,
  type Institution,
  type InstitutionRow,
  type ParticipantRecord,
  useInstitution,
  useParticipant,
} from './institution-query'
import { Messages } from './messages'
import { Onboarding } from './onboarding'
import { ReviewActs } from './review-acts'
import { toneOf } from './review-moves'

/**
 * One institution: its review, documents, rights and customers. Its own users
 * see the same, without the decisions of staff, also at a path without an id.
 */
export default function OneParticipant({ params }: RouteParams) {
  const own = useSession().user.participantId ?? ''
  const id = params.id ?? own
  const isStaff = useCan('read')
  const institution = useInstitution(id)
  // An institution that was never approved is not a participant yet.
  const participant = useParticipant(id, institution.data === null)
  const found = institution.data
  const title = found?.name ?? participant.data?.institutionName ?? (isStaff ? 'Participant' : 'Your institution')
  return (
    <Page
      title={title}
      badge={found ? <Status value={found.status} tone={toneOf(found.status)} /> : null}
      up={isStaff ? { href: '/console/participants', words: 'Participants' } : undefined}
      actions={found ? <ReviewActs of={found} /> : null}
    >
      <Loaded of={institution} lines={8}>
        {(row) => (row ? <WholeInstitution of={row} /> : <BareParticipant id={id} />)}
      </Loaded>
    </Page>
  )
}

/** A registered institution; from its approval on it is also a participant. */
function WholeInstitution({ of }: { of: InstitutionRow & Partial<Institution> }) {
  const { id } = of
  const isStaff = useCan('read')
  return (
    <div class="columns is-side">
      <div class="stack">
        {isStaff ? <Onboarding of={of} /> : null}
        <CustomersCard id={id} isApproved={of.approvedAt !== null} />
        <Documents id={id} />
        <BankAccounts id={id} />
        <InstitutionUsers id={id} />
        <Information id={id} />
        {isStaff ? <Messages id={id} /> : null}
      </div>
      <div class="stack">
        <InstitutionFacts of={of} />
        <ApiKeyCard id={id} />
        {isStaff ? <AddressesCard id={id} /> : null}
        <CreditLines id={id} />
        <HistoryCard
          of={['institution', id]}
          createdAt={of.createdAt}
          read={(signal) => main.GET('/admin/pfi/{id}/history', { params: { path: { id } }, signal })}
          toneOf={toneOf}
        />
      </div>
    </div>
  )
}

/** A participant that an administrator created: it never registered, so it has no review. */
function BareParticipant({ id }: { id: string }) {
  const participant = useParticipant(id)
  const isStaff = useCan('read')
  return (
    <Loaded of={participant} lines={8}>
      {(found) =>
        found ? (
          <div class="columns is-side">
            <div class="stack">
              <CustomersCard id={id} isApproved />
              {isStaff ? <Messages id={id} /> : null}
            </div>
            <div class="stack">
              <ParticipantFacts of={found} />
              {isStaff ? <AddressesCard id={id} /> : null}
              <InstitutionUsers id={id} />
            </div>
          </div>
        ) : (
          <Empty icon="participants" title="There is no such participant">
            <p>No institution or participant has this id. It may belong to another kind of record: search for it.</p>
          </Empty>
        )
      }
    </Loaded>
  )
}

/** The facts of the newest API key, never the key. Only its own administrators issue keys, which can move money. */
function ApiKeyCard({ id }: { id: string }) {
  const isOwn = useSession().user.participantId === id
  const keys = useApiKeys(id)
  return (
    <Card title="API key" aside={isOwn ? <a href="/console/keys">All keys</a> : null}>
      <Loaded of={keys} lines={2}>
        {([newest]) =>
          newest ? (
            <Facts
              of={[
                ['Key', <code>{newest.masked}</code>],
                ['Status', <Status value={newest.status} tone={isValid(newest) ? 'good' : 'bad'} />],
                ['Issued', <Time at={newest.createdAt} isWhole />],
                [isValid(newest) ? 'Until' : 'Ended', <Time at={newest.validUntil} isWhole />],
                ['From', newest.addresses?.join(', ') ?? 'any address'],
                ['Id', <Id value={newest.id} />],
              ]}
            />
          ) : (
            <p class="hint">
              There is none yet. Only its own administrators issue keys, under API keys of their console: a key can move
              its money.
            </p>
          )
        }
      </Loaded>
    </Card>
  )
}

const mostShown = 20

/** The users of an institution. */
function InstitutionUsers({ id }: { id: string }) {
  const { user } = useSession()
  const canManage = useCan('manage') || user.roles.includes('participant-admin')
  const users = useRead(['users', 'of', id], (signal) =>
    main.GET('/participants/{id}/users', { params: { path: { id }, query: { limit: mostShown } }, signal }),
  )
  return (
    <Card title="People" aside={canManage ? <a href="/console/users">Users</a> : null}>
      <Loaded of={users} lines={2}>
        {({ data, pageInfo }) =>
          data.length === 0 ? (
            <p class="hint">Nobody yet.</p>
          ) : (
            <ul class="rows people">
              {data.map(({ id, name, email, status, roles }) => (
                <li key={id} class="ends">
                  <div>
                    <b>{name}</b>
                    <span class="hint">{email}</span>
                    <span class="hint">{roles.map(toWords).join(', ')}</span>
                  </div>
                  <Status value={status} tone={status === 'INVITED' ? 'wait' : undefined} />
                </li>
              ))}
              {pageInfo.total > data.length ? <li class="hint">and {pageInfo.total - data.length} more</li> : null}
            </ul>
          )
        }
      </Loaded>
    </Card>
  )
}

/** The facts from an institution's registration. */
function InstitutionFacts({ of }: { of: InstitutionRow & Partial<Institution> }) {
  const { street, city, state, zipCode, country } = of.address
  return (
    <Card title="About">
      <Facts
        of={[
          ['Business', toWords(of.businessType)],
          ['Registration', <Id value={of.registrationNumber} isWhole />],
          ['Country', of.country],
          ['Address', [street, [zipCode, city].filter(Boolean).join(' '), state, country].filter(Boolean).join(', ')],
          ['E-mail', of.email],
          ['Registered', <Time at={of.createdAt} isWhole />],
          ['Registered by', of.registeredBy ? <Actor of={{ kind: 'user', id: of.registeredBy }} /> : null],
          ['First approved', of.approvedAt ? <Time at={of.approvedAt} isWhole /> : null],
          ['Id', <Id value={of.id} isWhole />],
        ]}
      />
    </Card>
  )
}

/** The facts of a participant that never registered. */
function ParticipantFacts({ of }: { of: ParticipantRecord }) {
  return (
    <Card title="About">
      <Facts
        of={[
          ['Made', 'by an administrator, without a review'],
          ['API key', of.authConsumerId === '********' ? 'kept, and not shown' : 'kept'],
          ['Created', <Time at={of.createdAt} isWhole />],
          ['Changed', of.updatedAt === of.createdAt ? null : <Time at={of.updatedAt} isWhole />],
          ['Id', <Id value={of.id} isWhole />],
        ]}
      />
      {of.routerData ? <JsonView title="Router data" of={of.routerData} /> : null}
    </Card>
  )
}

/** The customers of an institution, and its own two accounts. */
function CustomersCard({ id, isApproved }: { id: string; isApproved: boolean }) {
  const participant = useParticipant(id, isApproved)
  const data = isApproved ? participant.data : null
  return (
    <DataTable
      title="Customers"
      aside={data ? <OwnAccounts of={data} /> : null}
      label="Customers of this participant"
      columns={columns}
      list={wholeList(customersIn(data), participant)}
      hrefOf={({ id }) => `/console/customers/${id}`}
      empty={
        <p class="card-line">
          {isApproved
            ? 'It has none yet. The institution adds its customers itself, from its own systems.'
            : 'It is not a participant yet. It can add customers from its first approval on.'}
        </p>
      }
    />
  )
}

type CustomerOf = ParticipantRecord['customers'][number]

function OwnAccounts({ of: { omnibusAccountId, feePayerAccountId } }: { of: ParticipantRecord }) {
  if (!omnibusAccountId && !feePayerAccountId) return null
  return (
    <span class="row">
      {omnibusAccountId ? <AccountName id={omnibusAccountId} /> : null}
      {feePayerAccountId ? <AccountName id={feePayerAccountId} /> : null}
    </span>
  )
}

const columns: readonly Column<CustomerOf>[] = [
  { head: 'Customer', narrow: 'lead', cell: ({ externalId }) => <b>{externalId}</b> },
  { head: 'Status', narrow: 'end', cell: ({ status }) => <Status value={status} /> },
  {
    head: 'Accounts',
    narrow: 'sub',
    cell: ({ accounts }) => (
      <span>
        {counted(accounts.length, 'account')}
        {accounts.length > 0 ? <span class="none"> {accounts.map(({ name }) => name).join(', ')}</span> : null}
      </span>
    ),
  },
]
