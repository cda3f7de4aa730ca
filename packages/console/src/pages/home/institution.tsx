import { useSession } from '../../api/session'
import OneParticipant from '../participants/one'

/** For an institution's people: what the platform knows of the institution. */
export default function OwnInstitution() {
  return <OneParticipant params={{ id: useSession().user.participantId ?? '' }} />
}
