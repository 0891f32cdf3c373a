/** What the owner has set for all nodes, such as the password of the console; kept in the store. */
export interface OwnerSettings {
  get(name: OwnerSetting): Promise<string | null>;
  set(name: OwnerSetting, value: string): Promise<void>;
}

export type OwnerSetting = 'console_password';
