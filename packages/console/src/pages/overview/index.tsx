import lazy from 'preact-iso/lazy'
import { can, useSession } from '../../api/session'
import { loadPage } from '../../ui/load-page'
import { Page } from '../../ui/page'
import { pagesStyle } from '../../ui/pages-style'
import { Empty } from '../../ui/states'
import { PlatformOverview } from './platform-overview'

/** Not loaded for staff. */
const OwnInstitution = lazy(() => loadPage(() => import('../participants/one'), pagesStyle))

/** Open work, movements and balances; users of an institution see those of their own. */
export default function Overview() {
  const session = useSession()
  if (can(session, 'read')) return <PlatformOverview />
  return <OwnOverview participantId={session.user.participantId} />
}

/** For users of an institution: the institution's page. */
function OwnOverview({ participantId }: { participantId: string | null }) {
  if (participantId) return <OwnInstitution params={{ id: participantId }} />
  return (
    <Page title="Overview">
      <Empty icon="participants" title="Your institution">
        <p>You belong to no institution. An administrator can change that.</p>
      </Empty>
    </Page>
  )
}
