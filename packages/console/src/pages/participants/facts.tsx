import { toWords } from '../../format/words'
import { Actor } from '../../ui/actor'
import { Card, Facts } from '../../ui/card'
import { Id } from '../../ui/id'
import { JsonView } from '../../ui/json-view'
import { Time } from '../../ui/time'
import type { Institution, InstitutionRow, ParticipantRecord } from './institution-query'

/** The facts from an institution's registration. */
export function InstitutionFacts({ of }: { of: InstitutionRow & Partial<Institution> }) {
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
export function ParticipantFacts({ of }: { of: ParticipantRecord }) {
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
