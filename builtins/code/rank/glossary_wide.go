package rank

// wideWords are the same for Chinese and Japanese, and for Korean, whose
// words are found inside a run of characters.
var wideWords = glossary(`
config: 配置 设置 設定 설정
file: 文件 ファイル 파일
directory: 目录 ディレクトリ 폴더
error: 错误 報錯 报错 エラー 오류 에러
exception: 异常 例外 예외
function: 函数 関数 함수
method: 方法 メソッド 메서드
class: 类 クラス 클래스
interface: 接口 インターフェース
load: 加载 読み込 로드
read: 读取 読み取 읽
write: 写入 書き込 쓰기
parse: 解析 パース 파싱
start: 启动 起動 開始 시작
stop: 停止 关闭 終了 종료
connection: 连接 接続 연결
request: 请求 リクエスト 요청
response: 响应 レスポンス 응답
server: 服务器 サーバ 서버
client: 客户端 クライアント 클라이언트
queue: 队列 キュー 큐
task: 任务 タスク 작업
retry: 重试 リトライ 再試行 재시도
time: 时间 時間 시간
timeout: 超时 タイムアウト 타임아웃
schedule: 调度 スケジュール 스케줄
cache: 缓存 キャッシュ 캐시
memory: 内存 メモリ 메모리
store: 存储 保存 저장
delete: 删除 削除 삭제
create: 创建 作成 생성
update: 更新 업데이트
user: 用户 ユーザ 사용자
password: 密码 パスワード 비밀번호
login: 登录 ログイン 로그인
permission: 权限 権限 권한
database: 数据库 データベース 데이터베이스
table: 数据表 テーブル 테이블
check: 检查 チェック 확인
validate: 验证 校验 検証 검증
route: 路由 ルーティング 라우팅
message: 消息 メッセージ 메시지
event: 事件 イベント 이벤트
plugin: 插件 プラグイン 플러그인
log: 日志 ログ 로그
lock: 加锁 ロック 잠금
sort: 排序 ソート 정렬
search: 搜索 検索 검색
filter: 过滤 フィルタ 필터
test: 测试 テスト 테스트
key: 密钥 キー 키
string: 字符串 文字列 문자열
thread: 线程 スレッド 스레드
register: 注册 登録 등록
serialize: 序列化 シリアライズ 직렬화
compress: 压缩 圧縮 압축
encrypt: 加密 暗号 암호
add: 添加 增加 追加 추가
open: 打开 開く 열기
close: 关掉 閉じる 닫
send: 发送 送信 전송
receive: 接收 受信 수신
find: 查找 探す 찾
call: 调用 呼び出 호출
build: 构建 ビルド 빌드
compute: 计算 計算 계산
convert: 转换 変換 변환
compare: 比较 比較 비교
count: 数量 個数 개수
change: 修改 変更 변경
fail: 失败 失敗 실패
worker: 工作线程 ワーカー 워커
size: 大小 サイズ 크기
limit: 限制 制限 제한
list: 列表 リスト 목록
number: 数字 数値 숫자
value: 数值 值 値 값
array: 数组 配列 배열
object: 对象 オブジェクト 객체
session: 会话 セッション 세션
command: 命令 コマンド 명령
format: 格式 書式 フォーマット 형식
image: 图片 画像 이미지
page: 页面 ページ 페이지
option: 选项 オプション 옵션
default: 默认 既定 デフォルト 기본
module: 模块 モジュール 모듈
package: 包 パッケージ 패키지
variable: 变量 変数 변수
path: 路径 パス 경로
`)
