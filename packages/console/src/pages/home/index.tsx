import { useSession } from '../../api/session'
import { DialogButton } from '../../ui/dialog-button'
import { Page } from '../../ui/page'
import { Empty, Note } from '../../ui/states'
import { Status } from '../../ui/status'
import { useInstitution, useParticipant } from '../participants/institution-query'
import { toneOf } from '../participants/review-moves'
import { HeldHistory } from './held-history'
import { HomeFigures } from './home-figures'
import { LatestPayments } from './latest-payments'
import { NewPayment } from './new-payment'
import { OwnBalances } from './own-balances'

/** For an institution's people: what it holds, its newest payments, its access. */
export default function Home() {
  const id = useSession().user.participantId
  return id === null ? <NoInstitution /> : <InstitutionHome id={id} />
}

function InstitutionHome({ id }: { id: string }) {
  const institution = useInstitution(id)
  const participant = useParticipant(id)
  const found = institution.data
  const isAdmitted = participant.data !== null
  return (
    <Page
      title={found?.name ?? participant.data?.institutionName ?? 'Your institution'}
      badge={found ? <Status value={found.status} tone={toneOf(found.status)} /> : null}
      actions={
        participant.data ? (
          <DialogButton look="main" icon="out" dialog={(close) => <NewPayment id={id} onClose={close} />}>
            New payment
          </DialogButton>
        ) : null
      }
    >
      {isAdmitted ? null : (
        <Note tone="wait">
          Your institution takes part in payments once its registration is approved. Until then you can{' '}
          <a href="/console/institution">upload its documents</a>.
        </Note>
      )}
      <HomeFigures id={id} />
      <div class="columns is-halves">
        <div class="stack">
          <HeldHistory id={id} />
          <OwnBalances id={id} />
        </div>
        <LatestPayments participantId={id} />
      </div>
    </Page>
  )
}

const NoInstitution = () => (
  <Page title="Home">
    <Empty icon="participants" title="Your institution">
      <p>You belong to no institution. An administrator can change that.</p>
    </Empty>
  </Page>
)
