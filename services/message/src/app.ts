import { type Deps, searchRoutes, service } from '@bursar/http'
import { messageRoutes } from './messages/messages.routes'
import { searchMessages } from './messages/search'

/** The message service (spec 3, Message service): messages between participants. */
export const createApp = (deps: Deps) =>
  service({
    ...deps,
    name: 'message',
    description: 'Messages between participants: free text, JSON, ISO 20022 and requests for information.',
    shape: 'list',
    tags: { Messages: 'Messages between participants' },
  })
    .use(messageRoutes(deps))
    .use(searchRoutes(deps, (sought) => searchMessages(deps.store.read, sought)))
