package rank

// foreign says in English what the words of programming mean in the languages
// whose words have spaces between them. One form of a word stands for those
// that differ in their ending.
var foreign = map[string]map[string]string{
	"de": glossary(`
config: konfiguration einstellungen konfigurationsdatei konfigurationsdateien konfigurieren
file: datei dateien
directory: verzeichnis ordner
error: fehler fehlermeldung fehlermeldungen
function: funktion funktionen
load: geladen laden lädt eingelesen einlesen
read: gelesen lesen liest
write: geschrieben schreiben schreibt
parse: analysiert zerlegt geparst parsen
start: gestartet starten startet start
stop: gestoppt beenden beendet stoppen
connection: verbindung verbindungen verbindungsaufbau
request: anfrage anfragen
response: antwort antworten
server: server
queue: warteschlange warteschlangen
task: aufgabe aufgaben
retry: wiederholung wiederholt wiederholen
time: zeit zeitpunkt
timeout: zeitüberschreitung
schedule: geplant planung planen
cache: zwischenspeicher gecacht
memory: speicher arbeitsspeicher
store: gespeichert speichern speichert
delete: gelöscht löschen löscht
create: erstellt erzeugt erstellen erzeugen anlegen
user: benutzer nutzer
password: passwort kennwort
login: anmeldung anmelden
permission: berechtigung berechtigungen
database: datenbank
table: tabelle
version: version
check: geprüft prüfen prüft prüfung
validate: validiert validierung validieren
route: route routen routing
message: nachricht nachrichten meldung
event: ereignis ereignisse
value: wert werte
list: liste
string: zeichenkette
number: zahl
size: größe
limit: grenze begrenzung
log: protokoll protokolliert
lock: sperre gesperrt
sort: sortiert sortieren sortierung
search: suche suchen gesucht
filter: filter gefiltert
test: test tests
package: paket pakete
key: schlüssel
encrypt: verschlüsselt verschlüsselung
add: hinzufügen hinzugefügt eingefügt
entry: eintrag einträge
old: alt ältesten älteste
evict: verdrängt verdrängen
open: geöffnet öffnen öffnet aufgebaut
close: geschlossen schließen schließt
fail: fehlgeschlagen fehlgeschlagene scheitert
send: gesendet senden sendet versendet verschickt
receive: empfangen empfängt
update: aktualisiert aktualisieren
change: geändert ändern
find: gefunden finden
call: aufgerufen aufrufen aufruf
return: zurückgegeben zurückgeben
convert: umgewandelt umwandeln
compare: verglichen vergleichen
count: gezählt zählen anzahl
build: gebaut bauen
compute: berechnet berechnen
worker: arbeiter
client: klient
command: befehl befehle kommando
option: option optionen
format: formatiert formatieren
print: ausgegeben ausgabe ausgeben
input: eingabe
page: seite seiten
image: bild bilder
token: token
session: sitzung
thread: faden
`),
	"fr": glossary(`
config: configuration paramètres réglages configurer
file: fichier fichiers
directory: répertoire dossier
error: erreur erreurs
function: fonction fonctions
load: chargé chargée charger chargement charge
read: lu lire lecture
write: écrit écrire écriture
parse: analysé analyser analyse
start: démarré démarrer démarrage
stop: arrêté arrêter arrêt
connection: connexion connexions
request: requête requêtes demande
response: réponse réponses
server: serveur
queue: file
task: tâche tâches
retry: réessayer tentative tentatives nouvelle
time: temps heure
timeout: délai expiration
cache: cache
memory: mémoire
store: stocké stocker stockage enregistré
delete: supprimé supprimer suppression
create: créé créée créer création
user: utilisateur utilisateurs
password: passe
permission: droits autorisation
database: données
check: vérifié vérifier vérification
validate: validé valider validation
message: message messages
event: évènement événement événements
value: valeur valeurs
list: liste
string: chaîne
number: nombre
size: taille
limit: limite
log: journal journalisation
lock: verrou
sort: trié trier tri
search: recherche chercher
key: clé
add: ajouté ajouter ajout
entry: entrée entrées
old: ancien anciennes vieux
open: ouvert ouverte ouvrir ouverture
close: fermé fermer fermeture
fail: échoué échoue échec
send: envoyé envoyer envoi
receive: reçu recevoir réception
update: mettre jour
change: modifié modifier
find: trouvé trouver
call: appelé appeler appel
convert: converti convertir
compare: comparé comparer
count: compté compter nombre
build: construit construire
compute: calculé calculer calcul
client: client clients
command: commande commandes
format: formaté formater
print: affiché afficher
input: saisie
page: page pages
image: image images
session: session
login: connecter identification
class: classe
table: table tableau
encrypt: chiffré chiffrer chiffrement
filter: filtre filtrer
`),
	"es": glossary(`
config: configuración ajustes configurar
file: archivo archivos fichero ficheros
directory: directorio carpeta
error: error errores
function: función funciones
load: carga cargan cargar cargado
read: lee leer leído lectura
write: escribe escribir escrito
parse: analiza analizar analizado
start: inicia iniciar inicio arranca
stop: detiene detener parada
connection: conexión conexiones
request: petición peticiones solicitud
response: respuesta respuestas
server: servidor
queue: cola colas
task: tarea tareas
retry: reintento reintentos reintenta
time: tiempo hora
cache: caché
memory: memoria
store: guarda guardar almacena
delete: borra borrar elimina eliminar
create: crea crear creado
user: usuario usuarios
password: contraseña
permission: permiso permisos
database: datos
check: comprueba comprobar verifica
validate: valida validar validación
message: mensaje mensajes
event: evento eventos
value: valor valores
list: lista
string: cadena
number: número
size: tamaño
limit: límite
log: registro registros
lock: bloqueo
sort: ordena ordenar
search: busca buscar búsqueda
key: clave llave
add: añade añadir agrega agregar
entry: entrada entradas
old: antiguo viejo
open: abre abrir abierta
close: cierra cerrar
fail: falla fallar fallida
send: envía enviar envío
receive: recibe recibir
update: actualiza actualizar
change: cambia cambiar
find: encuentra encontrar
call: llama llamar llamada
convert: convierte convertir
compare: compara comparar
count: cuenta contar
build: construye construir
compute: calcula calcular cálculo
client: cliente
command: comando orden
format: formatea formatear
print: imprime imprimir
page: página páginas
image: imagen
session: sesión
class: clase
table: tabla
encrypt: cifra cifrar cifrado
filter: filtro filtra filtrar
login: acceso
`),
	"pt": glossary(`
config: configuração configurações configurar
file: arquivo arquivos ficheiro
directory: diretório pasta
error: erro erros
function: função funções
load: carregado carregada carregar carrega
read: lido ler leitura
write: escrito escrever
start: iniciado iniciar
stop: parado parar
connection: conexão conexões
request: requisição requisições pedido
response: resposta respostas
server: servidor
queue: fila
task: tarefa tarefas
retry: tentativa tentativas
time: tempo
memory: memória
delete: apagado excluir remover
create: criado criar criação
user: usuário usuários
password: senha
database: dados
check: verificado verificar
validate: validado validar validação
message: mensagem
event: evento eventos
value: valor valores
key: chave
search: busca buscar
add: adicionado adicionar adiciona
entry: entrada entradas
open: aberta abrir aberto
close: fechado fechar
fail: falha falhar
send: enviado enviar envia
receive: recebido receber
update: atualizado atualizar
change: alterado alterar
find: encontrado encontrar
call: chamado chamar chamada
parse: analisado analisar
store: armazenado armazenar guardar
size: tamanho
limit: limite
list: lista
string: texto
number: número
permission: permissão
log: registro
lock: bloqueio
sort: ordenar ordenado
class: classe
table: tabela
client: cliente
command: comando
page: página
image: imagem
session: sessão
compute: calculado calcular
cache: cache
`),
	"it": glossary(`
config: configurazione impostazioni
file: file
directory: cartella
error: errore errori
function: funzione funzioni
load: caricato caricata caricare carica
read: letto leggere
write: scritto scrivere
connection: connessione connessioni
request: richiesta richieste
response: risposta risposte
server: server
queue: coda
task: attività compito
time: tempo
memory: memoria
delete: eliminato eliminare cancellare
create: creato creare
user: utente utenti
database: dati
check: verificato verificare controllo
validate: validato validare
message: messaggio messaggi
event: evento eventi
value: valore valori
key: chiave
search: ricerca cercare
add: aggiunto aggiungere
open: aperto aperta aprire
close: chiuso chiudere
fail: fallito fallire
send: inviato inviare
update: aggiornato aggiornare
find: trovato trovare
call: chiamato chiamare
start: avviato avviare
stop: fermato fermare
parse: analizzato analizzare
store: salvato salvare
size: dimensione
limit: limite
list: elenco
number: numero
string: stringa
table: tabella
class: classe
client: client
command: comando
session: sessione
compute: calcolato calcolare
`),
	"nl": glossary(`
config: configuratie instellingen
file: bestand bestanden
directory: map mappen
error: fout fouten
function: functie functies
load: geladen laden
read: gelezen lezen
write: geschreven schrijven
connection: verbinding verbindingen
request: verzoek verzoeken aanvraag
response: antwoord
queue: wachtrij
task: taak taken
time: tijd
memory: geheugen
delete: verwijderd verwijderen
create: gemaakt aangemaakt maken
user: gebruiker gebruikers
password: wachtwoord
database: gegevens
check: gecontroleerd controle
message: bericht berichten
value: waarde waarden
key: sleutel
search: zoeken gezocht
add: toegevoegd toevoegen
open: geopend openen
close: gesloten sluiten
send: verzonden verzenden verstuurd
update: bijgewerkt bijwerken
find: gevonden vinden
call: aangeroepen aanroepen
start: gestart starten
stop: gestopt stoppen
store: opgeslagen opslaan
size: grootte
list: lijst
number: getal
table: tabel
class: klasse
command: opdracht
session: sessie
compute: berekend berekenen
`),
	"ru": glossary(`
config: конфигурация конфигурации конфигурацию конфиг настройки настройка настроек
file: файл файла файлы файлов
directory: каталог папка директория
error: ошибка ошибки ошибок ошибку
function: функция функции функцию
load: загружается загрузка загружаются загрузки
read: читается чтение читаются
write: записывается запись
parse: разбирается разбор парсится парсинг
start: запускается запуск
stop: остановка останавливается
connection: соединение соединения подключение подключения
request: запрос запросы запросов запроса
response: ответ ответа ответы
server: сервер сервера
queue: очередь очереди
task: задача задачи задач
retry: повтор повторная повторные
time: время времени
timeout: таймаут
cache: кэш кеш
memory: память памяти
store: хранится хранение сохраняется
delete: удаляется удаление
create: создаётся создается создание
user: пользователь пользователя
password: пароль
database: база базы данных
check: проверяется проверка
validate: валидация
message: сообщение сообщения
event: событие события
value: значение
list: список
string: строка
lock: блокировка
search: поиск
key: ключ
test: тест тесты
class: класс
define: определена определён определение
add: добавляется добавить добавление
open: открывается открыть открытие
close: закрывается закрыть закрытие
fail: неудачный сбой
send: отправляется отправить отправка
receive: принимается получить получение
update: обновляется обновить обновление
change: меняется изменить изменение
find: найти находится
call: вызывается вызов вызвать
compute: вычисляется вычисление
convert: преобразуется преобразование
compare: сравнивается сравнение
build: собирается сборка
client: клиент
command: команда
size: размер
limit: ограничение предел
number: число
log: журнал
sort: сортировка сортируется
permission: права разрешение
session: сессия сеанс
table: таблица
worker: исполнитель воркер
method: метод
route: маршрут
format: форматирование
`),
}

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
