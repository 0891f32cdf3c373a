/** What is kept for all nodes about the owner, such as the password of the console. */
export interface OwnerSettings {
  get(name: OwnerSetting): Promise<string | null>;
  set(name: OwnerSetting, value: string): Promise<void>;
}

/** The second is a hash of the first, as the audit log knows it. */
export type OwnerSetting = 'console_password' | 'noticed_console_password';
