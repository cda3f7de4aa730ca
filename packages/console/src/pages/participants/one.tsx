import { main } from '../../api/services'
import { useCan, useSession } from '../../api/session'
import type { RouteParams } from '../../ui/load-page'
import { Page } from '../../ui/page'
import { Empty, Loaded } from '../../ui/states'
import { Status } from '../../ui/status'
import { HistoryCard } from '../../ui/status-history'
import { Information } from './additional-information'
import { AddressesCard } from './addresses'
import { ApiKeyCard } from './api-key-card'
import { BankAccounts } from './bank-accounts'
import { CreditLines } from './credit-lines'
import { CustomersCard } from './customers-card'
import { Documents } from './documents'
import { InstitutionFacts, ParticipantFacts } from './facts'
import { type Institution, type InstitutionRow, useInstitution, useParticipant } from './institution-query'
import { Messages } from './messages'
import { Onboarding } from './onboarding'
import { ReviewActs } from './review-acts'
import { toneOf } from './review-moves'
import { InstitutionUsers } from './users'

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
