import { Icon, type IconName } from '../../ui/icon'

export type TransactionType = 'DEPOSIT' | 'WITHDRAWAL' | 'TRANSFER'

const kinds: Record<TransactionType, { word: string; icon: IconName }> = {
  DEPOSIT: { word: 'Deposit', icon: 'in' },
  WITHDRAWAL: { word: 'Withdrawal', icon: 'out' },
  TRANSFER: { word: 'Transfer', icon: 'swap' },
}

export const kindWord = (type: TransactionType): string => kinds[type].word

/** The kind as an icon, with its word. */
export function Kind({ type }: { type: TransactionType }) {
  const { word, icon } = kinds[type]
  return (
    <span class={`kind kind-${type.toLowerCase()}`}>
      <span class="kind-sign">
        <Icon name={icon} size={14} />
      </span>
      {word}
    </span>
  )
}
