// The recount: all checks over one state.
import { checkArrivals } from './arrivals'
import { checkBooks } from './books'
import { checkCredit } from './credit'
import { checkCustody, checkPortfolios } from './custody'
import { checkDepartures } from './departures'
import type { Finding } from './finding'
import { checkOpen, checkPromises } from './open'
import { checkOrders } from './orders'
import { checkReplicas } from './replicas'
import type { Knowledge, State } from './state'

export const recount = (state: State, knowledge: Knowledge): Finding[] => [
  ...checkBooks(state),
  ...checkPromises(state, knowledge),
  ...checkArrivals(state, knowledge),
  ...checkDepartures(state, knowledge),
  ...checkCustody(state, knowledge),
  ...checkPortfolios(state, knowledge),
  ...checkCredit(state, knowledge),
  ...checkOrders(state, knowledge),
  ...checkOpen(state, knowledge),
  ...checkReplicas(state),
]
