interface Message {
  request_id: string
  timestamp: string
}

/** The messages of one request, oldest first. */
export interface MessageGroup<M> {
  requestId: string
  messages: M[]
}

/** Messages by their request, in the order in which the requests began. */
export function byRequest<M extends Message>(messages: readonly M[]): MessageGroup<M>[] {
  const groups = new Map<string, M[]>()
  for (const message of [...messages].sort((one, other) => one.timestamp.localeCompare(other.timestamp))) {
    const group = groups.get(message.request_id)
    if (group) group.push(message)
    else groups.set(message.request_id, [message])
  }
  return [...groups].map(([requestId, list]) => ({ requestId, messages: list }))
}
