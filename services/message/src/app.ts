import { type Deps, service } from '@bursar/http'
import { messageRoutes } from './messages/messages.routes'

/** The message service (spec 3, Message service): messages between participants. */
export const createApp = (deps: Deps) =>
  service({
    ...deps,
    name: 'message',
    description: 'Messages between participants: free text, JSON, ISO 20022 and requests for information.',
    shape: 'list',
    tags: { Messages: 'What participants write to each other' },
  }).use(messageRoutes(deps))
