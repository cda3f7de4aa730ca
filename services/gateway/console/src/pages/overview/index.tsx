import { can, useSession } from '../../api/session'
import { LinkButton } from '../../ui/button'
import { Page } from '../../ui/page'
import { Empty } from '../../ui/states'
import { PlatformOverview } from './platform-overview'

/** What waits, what moved and what is held; for people of one institution, the way to theirs. */
export default function Overview() {
  const session = useSession()
  if (can(session, 'read')) return <PlatformOverview />
  return <OwnOverview participantId={session.user.participantId} />
}

function OwnOverview({ participantId }: { participantId: string | null }) {
  return (
    <Page title="Overview">
      <Empty icon="participants" title="Your institution">
        {participantId ? (
          <LinkButton look="main" href={`/console/participants/${participantId}`}>
            Its accounts, customers and documents
          </LinkButton>
        ) : (
          <p>This user belongs to no institution. An administrator can change that.</p>
        )}
      </Empty>
    </Page>
  )
}
