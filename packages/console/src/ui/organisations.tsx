import { useInstitutionName, useOrganisations } from '../api/organisations'
import { useCan, useSession } from '../api/session'
import { NameLink } from './name-link'

/** An institution by its name, with a link to its page. Institutions know their own alone: `yours`. */
export function Institution({ id, yours }: { id: string; yours?: string }) {
  const isStaff = useCan('read')
  const { user } = useSession()
  const { data: name } = useInstitutionName(isStaff ? id : null)
  if (yours && user.participantId === id) return <b>{yours}</b>
  return <NameLink id={id} name={name} href={isStaff ? `/console/participants/${id}` : undefined} isBare />
}

/** A custodian bank by its name; by its id once it is removed. */
export function Custodian({ id }: { id: string }) {
  const name = useOrganisations('custodian').data?.find((custodian) => custodian.id === id)?.name
  return <NameLink id={id} name={name} isBare />
}

/** Where a user or a record belongs: the administration, an institution, or a custodian bank. */
export function Organisation({
  of: { participantId, custodianId },
}: {
  of: { participantId: string | null; custodianId: string | null }
}) {
  if (participantId !== null) return <Institution id={participantId} />
  if (custodianId !== null) return <Custodian id={custodianId} />
  return <span>Administration</span>
}
