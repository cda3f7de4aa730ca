/** The connections to a server of one service, and of all services of a process together: for commits, and for reads. */
export const most = { commits: { one: 1, all: 4 }, reads: { one: 2, all: 8 } }

/** How many connections so many services of one process have at most. */
export const connectionsOf = (services: number): number =>
  Object.values(most).reduce((sum, { one, all }) => sum + Math.min(all, one * services), 0)
